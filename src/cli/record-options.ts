import { randomBytes } from 'node:crypto';
import { readManifestFile } from '../record/manifest-file.js';
import type { Redactor } from '../record/redactor.js';
import type { TargetSpec } from '../target/spec.js';
import { bundledServer } from './bundled-server.js';
import { loadConfig, namedTarget } from './config.js';
import type { CliContext } from './context.js';
import { type RedactOption, redactorFor } from './redaction.js';
import { type TargetOptions, targetSpec } from './target-options.js';
import { toolIdentity } from './tool-identity.js';

/** The options of `record` as commander reads them. */
export interface RecordOptions extends TargetOptions {
  readonly out?: string;
  readonly id?: string;
  readonly client?: string;
  readonly listen?: string;
  readonly from?: string;
  readonly accept?: string;
  readonly verify?: string;
  readonly manifest?: string;
  readonly force?: boolean;
  readonly redact?: RedactOption;
  readonly schema?: string;
  readonly config?: string;
  readonly target?: string;
}

/** What every way of recording needs, and the redactor to ask afterwards what it did. */
export async function recordingBasics(options: RecordOptions) {
  const redactor = redactorFor(options.redact);
  const basics = {
    out: options.out ?? '.',
    force: options.force ?? false,
    manifest: options.manifest === undefined ? undefined : await readManifestFile(options.manifest),
    tool: toolIdentity(),
    redact: (raw: string) => redactor?.redact(raw) ?? raw,
  };
  return { basics, redactor };
}

/** Tells on stderr what was taken out. */
export function tellRedactions(redactor: Redactor | undefined, context: CliContext): void {
  for (const line of redactor?.summary() ?? []) context.stderr(`msp-conformance record: ${line}\n`);
}

/** The server that is recorded. Throws `UsageError`. */
export function recordedTarget(options: RecordOptions, context: CliContext): TargetSpec {
  const { target: name } = options;
  const config = loadConfig(options.config, process.cwd());
  return targetSpec(options, {
    serverCommand: context.serverCommand,
    bundled: bundledServer(),
    ...(name !== undefined && { named: { name, target: namedTarget(config, name) } }),
  });
}

/** Two recordings that begin at the same moment have different names. */
export function freshId(): string {
  const time = new Date()
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');
  return `recording-${time}-${randomBytes(3).toString('hex')}`;
}
