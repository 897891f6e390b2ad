import { join } from 'node:path';
import { expand, type PlaceholderValues } from './placeholders.js';
import type { TargetSpec } from './spec.js';

/**
 * The server's environment. Hermetic unless `inheritEnv`: nothing of the user's but how to find programs and how to
 * write dates and words, so that a run neither reads nor touches the user's own sessions.
 */
export function serverEnvironment(
  spec: TargetSpec,
  values: PlaceholderValues,
  userEnvironment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const base = spec.inheritEnv
    ? userEnvironment
    : { ...kept(userEnvironment), ...homeWithin(values.stateDir) };
  return { ...base, MSP_STATE_DIR: values.stateDir, ...expandedValues(spec.env, values) };
}

/** The restart and kill commands are the user's own tools: they run as the user would run them. */
export function commandEnvironment(
  spec: TargetSpec,
  values: PlaceholderValues,
  userEnvironment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return serverEnvironment({ ...spec, inheritEnv: true }, values, userEnvironment);
}

/** Folders that exist before the server starts: one entry in the state directory, all else below it. */
export function homeFolders(stateDir: string): readonly string[] {
  return Object.values(homeWithin(stateDir));
}

function homeWithin(stateDir: string) {
  const home = join(stateDir, 'home');
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_RUNTIME_DIR: join(home, '.run'),
    TMPDIR: join(home, '.tmp'),
  };
}

const KEPT = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;

function kept(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => KEPT.test(name)));
}

function expandedValues(env: TargetSpec['env'], values: PlaceholderValues): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, expand(value, values)]));
}
