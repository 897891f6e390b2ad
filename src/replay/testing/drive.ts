import type { Finding } from '../../checks/finding.js';
import { Findings } from '../../checks/findings.js';
import type { TargetSpec } from '../../target/spec.js';
import type { BehaviourName, Manifest } from '../../transcript/scenario.js';
import { DEFAULT_FRAME_LIMIT_BYTES } from '../../wire/line-splitter.js';
import { type DriveHooks, type DriveOutcome, drive } from '../drive.js';
import { DriveContext, type DriveSettings } from '../drive-context.js';
import { type Answer, Exchange, isRecord } from '../exchange.js';
import type { ServerIdentity, Stage } from '../stage.js';
import { Trace } from '../trace.js';
import { bundle } from './match-context.js';
import { greeting, type Line, scriptOf } from './scenario.js';
import { type Reaction, ScriptedConnection, type SentFrame } from './scripted-connection.js';

/** What a scripted server does on each method; a handshake that succeeds and nothing else unless stated. */
export type Reactions = Readonly<Record<string, (frame: SentFrame, server: ScriptedConnection) => void>>;

export interface Scene {
  readonly settings?: Partial<DriveSettings>;
  readonly manifest?: Manifest;
  readonly behaviours?: Readonly<Partial<Record<BehaviourName, string>>>;
  readonly spec?: Partial<TargetSpec>;
  readonly hooks?: DriveHooks;
  /** Milliseconds until an answer is given up; long, unless the test is about one that never comes. */
  readonly timeoutMs?: number;
}

export interface Driven {
  readonly outcome: DriveOutcome;
  readonly findings: readonly Finding[];
  /** Check, status and step of everything that did not simply pass. */
  readonly trouble: readonly string[];
  readonly connection: ScriptedConnection;
  readonly context: DriveContext;
}

/** Drives a recording against a scripted server, without a process. */
export async function driven(
  lines: readonly Line[],
  reactions: Reactions,
  scene: Scene = {},
): Promise<Driven> {
  const connection = new ScriptedConnection(reactTo(reactions));
  const settings: DriveSettings = {
    ids: 'fresh',
    match: 'conformant',
    require: 'core',
    pass: 'replay',
    judges: true,
    ...scene.settings,
  };
  const stage = stageOn(connection, settings, scene);
  const findings = new Findings();
  const script = scriptOf(lines, scene.manifest);
  const context = new DriveContext(script, stage, bundle, settings, findings, false);
  const outcome = await drive(script, context, scene.hooks);
  const trouble = findings.all
    .filter(({ status }) => status !== 'passed')
    .map(({ id, status, step }) => `${status} ${id} ${step}`);
  return { outcome, findings: findings.all, trouble, connection, context };
}

function reactTo(reactions: Reactions): Reaction {
  return (frame, server) => {
    const reaction = reactions[frame.method ?? ''];
    if (reaction !== undefined) reaction(frame, server);
    else if (frame.method === 'initialize') server.answer(frame, greeting());
  };
}

/** The parts of a stage that a drive looks at, over one connection. */
function stageOn(connection: ScriptedConnection, settings: DriveSettings, scene: Scene): Stage {
  const exchange = new Exchange(
    connection,
    new Trace(() => 0),
    scene.timeoutMs ?? 60_000,
    () => {},
    () => {},
    settings.match === 'exact',
  );
  const stage = {
    assertStarted: async () => {},
    exchange,
    lives: 1,
    workspace: '/nowhere/workspace',
    identity: undefined as ServerIdentity | undefined,
    hasFrameLimit: true,
    knownCommands: new Set<string>(),
    options: {
      frameLimitBytes: DEFAULT_FRAME_LIMIT_BYTES,
      spec: { command: ['server'], address: { kind: 'stdio' }, behaviours: {}, ...scene.spec },
    },
    behaviourText: (behaviour: BehaviourName) => scene.behaviours?.[behaviour],
    noteIdentity(result: Answer['value']) {
      const durability = isRecord(result) ? result['sessionDurability'] : undefined;
      stage.identity = {
        name: 'scripted',
        version: '1',
        fingerprint: null,
        sessionDurability: typeof durability === 'string' ? durability : null,
      };
    },
    async control(op: string) {
      exchange.trace.note('control', op);
    },
  };
  return stage as unknown as Stage;
}
