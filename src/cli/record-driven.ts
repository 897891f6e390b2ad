import { basename, extname } from 'node:path';
import type { Blame, BlamedFailure } from '../record/blame.js';
import { isScenario, type RecordScenarioOptions, recordScenario } from '../record/record-scenario.js';
import { recordScript } from '../record/record-script.js';
import type { RehearsalSetup } from '../record/rehearse.js';
import { rerecord } from '../record/rerecord.js';
import { verify } from '../record/verify.js';
import { REFERENCE_BEHAVIOURS, SERVER_NAME } from '../reference/behaviours.js';
import { forTerminal } from '../report/escape.js';
import { bundledSchemaPath, loadBundle } from '../schema/load-bundle.js';
import type { CliContext } from './context.js';
import { UsageError } from './errors.js';
import { ExitCode } from './exit-codes.js';
import { interruptible } from './interrupt.js';
import { type RecordOptions, recordedTarget, recordingBasics, tellRedactions } from './record-options.js';

/** Plays a script of client lines, or the client side of a scenario, and records the answers. */
export function recordClient(client: string, options: RecordOptions, context: CliContext): Promise<number> {
  return stoppable(async () => {
    const runs = runsOf(options.verify);
    const { basics, redactor } = await recordingBasics(options);
    const id = options.id ?? basename(client, extname(client));
    const folder = (await isScenario(client))
      ? await recordOther(client, { ...basics, id }, options, context)
      : await recordScript(recordedTarget(options, context), { ...basics, scriptFile: client, id });
    tellRedactions(redactor, context);
    context.stderr(`recorded ${folder}\n`);
    return runs === undefined ? ExitCode.conformant : verifyRecording(folder, runs, options, context);
  });
}

async function recordOther(
  client: string,
  basics: RecordScenarioOptions,
  options: RecordOptions,
  context: CliContext,
): Promise<string> {
  const { folder, failures } = await recordScenario(client, await setupOf(options, context), basics);
  tellFailures(failures, context);
  return folder;
}

/** Records a scenario anew in its place, or with `--verify` learns what varies in it. */
export function recordAgain(scenario: string, options: RecordOptions, context: CliContext): Promise<number> {
  return stoppable(async () => {
    const runs = runsOf(options.verify);
    if (runs !== undefined) return verifyRecording(scenario, runs, options, context);
    const { basics, redactor } = await recordingBasics(options);
    const setup = await setupOf(options, context);
    const { outcome, failures } = await rerecord(scenario, { ...basics, setup, accept: options.accept });
    tellFailures(failures, context);
    tellRedactions(redactor, context);
    context.stderr(`${OUTCOMES[outcome]}: ${scenario}\n`);
    return outcome === 'refused' ? ExitCode.violation : ExitCode.conformant;
  });
}

/** A signal ends the servers, and with them the work, which leaves nothing half done. */
async function stoppable(work: () => Promise<number>): Promise<number> {
  const { outcome, interruptedBy } = await interruptible((signal) =>
    work().catch((error: unknown) => {
      if (signal.aborted) return ExitCode.harness;
      throw error;
    }),
  );
  if (interruptedBy === 'SIGINT') return ExitCode.interrupted;
  return interruptedBy === 'SIGTERM' ? ExitCode.terminated : outcome;
}

const OUTCOMES = {
  unchanged: 'the same bytes, left untouched',
  rewritten: 'recorded anew',
  refused: 'nothing written, the server does not mean the same any more (--accept "reason" records it)',
} as const;

async function verifyRecording(
  folder: string,
  runs: number,
  options: RecordOptions,
  context: CliContext,
): Promise<number> {
  const { learned, failures } = await verify(folder, runs, await setupOf(options, context));
  for (const { path, entry, note } of learned) context.stderr(`${entry} ${path}: ${note}\n`);
  tellFailures(failures, context);
  const isPassed = failures.length === 0;
  context.stderr(isPassed ? `passes against a fresh server: ${folder}\n` : `does not pass: ${folder}\n`);
  return isPassed ? ExitCode.conformant : ExitCode.violation;
}

async function setupOf(options: RecordOptions, context: CliContext): Promise<RehearsalSetup> {
  return {
    target: recordedTarget(options, context),
    bundle: await loadBundle(options.schema ?? bundledSchemaPath()),
    knownServers: new Map([[SERVER_NAME, { behaviours: REFERENCE_BEHAVIOURS, readsFrameLimit: true }]]),
  };
}

function tellFailures(failures: readonly BlamedFailure[], context: CliContext): void {
  for (const { failure, blame } of failures) {
    context.stderr(`${failure.id} (${BLAMES[blame]}): ${forTerminal(failure.message)}\n`);
    for (const { path, kind, expected, actual } of failure.differences ?? []) {
      const [before, now] = [expected, actual].map((value) =>
        forTerminal(JSON.stringify(value) ?? 'nothing'),
      );
      context.stderr(`  ${path} ${kind}: recorded ${before}, now ${now}\n`);
    }
  }
}

const BLAMES: Readonly<Record<Blame, string>> = {
  server: 'the server breaks the protocol',
  recording: 'the recording breaks the protocol',
  neither: 'both keep the protocol and differ',
};

function runsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError(`--verify expects a whole number from 1 to 999, found ${JSON.stringify(text)}.`);
}
