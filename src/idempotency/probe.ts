import { v7 as mintUuid } from 'uuid';
import type { CheckId } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import type { Findings, Verdict } from '../checks/findings.js';
import { postUntilAdmitted } from '../replay/busy.js';
import { paramsOfLine } from '../replay/commands.js';
import type { LiveCommand } from '../replay/drive-context.js';
import { type Answer, type Exchange, isRecord } from '../replay/exchange.js';
import type { Script } from '../replay/script.js';
import type { Stage } from '../replay/stage.js';
import type { Bundle } from '../schema/bundle.js';
import { compareAnswers, describeAnswer, isConflict, isRejection } from './compare-answers.js';
import { underId } from './lines.js';

/** What every derived pass works with. */
export interface Probe {
  readonly stage: Stage;
  readonly script: Script;
  readonly bundle: Bundle;
  readonly findings: Findings;
  readonly passes: ReadonlySet<PassName>;
  readonly seed: number;
  /** Kills before an ack, per scenario. */
  readonly crashPoints: number;
}

/** The server is gone or silent: what was being done cannot go on. */
export class PassEnded extends Error {
  constructor(
    readonly reason: string,
    readonly timedOut: boolean,
    /** The check that has failed with it; undefined when that has been reported. */
    readonly check: CheckId | undefined = undefined,
  ) {
    super(reason);
  }
}

export function judge(
  probe: Probe,
  id: CheckId,
  pass: PassName,
  command: LiveCommand,
  verdict: Verdict,
): void {
  const where = { step: command.step.line, method: command.method };
  const isTrouble = verdict.status === 'failed' || verdict.status === 'warned';
  const evidence = isTrouble ? { evidence: probe.stage.exchange.trace.tail() } : {};
  probe.findings.add(id, pass, { ...where, ...evidence, ...verdict });
}

/** A command as messages name it. */
export function called(command: LiveCommand): string {
  return command.provoked === undefined
    ? `${command.method} (line ${command.step.line})`
    : `${command.method} (provoked: ${command.provoked})`;
}

/**
 * Sends a line of a command once more, under a new request id, and reads the answer. Whether a host asks its ledger
 * before it misses the session is left open: where it says that the session is not loaded, it is loaded first.
 * Throws `PassEnded` when no answer comes.
 */
export async function replay(
  probe: Probe,
  pass: PassName,
  command: LiveCommand,
  line: string = command.line,
  exchange: Exchange = probe.stage.exchange,
): Promise<Answer> {
  const answer = await sendAgain(probe, pass, command, line, exchange);
  if (answer.errorKind !== NOT_LOADED || command.answer.errorKind === NOT_LOADED) return answer;
  const { sessionId } = paramsOfLine(line);
  const id = exchange.freshId();
  const params = { sessionId, commandId: mintUuid() };
  const resume = JSON.stringify({ jsonrpc: '2.0', id, method: 'session/resume', params });
  const resumed = await postUntilAdmitted(exchange, resume, id);
  return resumed.kind === 'error' ? answer : sendAgain(probe, pass, command, line, exchange);
}

const NOT_LOADED = 'sessionNotLoaded';

async function sendAgain(
  probe: Probe,
  pass: PassName,
  command: LiveCommand,
  line: string,
  exchange: Exchange,
): Promise<Answer> {
  probe.stage.enter(pass);
  const id = exchange.freshId();
  const outcome = await postUntilAdmitted(exchange, underId(line, id), id);
  if (outcome.kind !== 'none') return outcome;
  const why =
    outcome.why === 'closed' ? 'the connection ended' : `nothing came within ${exchange.timeoutMs} ms`;
  const message = `A replay of ${called(command)} got no answer: ${why}.`;
  judge(probe, 'idempotency/replay-answered', pass, command, { status: 'failed', message });
  throw new PassEnded(message, outcome.why === 'timeout');
}

/**
 * Judges a replay that must be answered as the command was the first time: value-identical, or, for a durable
 * rejection, with the same rejection. An error's wording may differ; that is worth a warning at most.
 */
export function judgeSameAnswer(
  probe: Probe,
  id: CheckId,
  pass: PassName,
  command: LiveCommand,
  again: Answer,
  circumstance: string,
): boolean {
  const { differences, wordingDiffers } = compareAnswers(command.answer, again);
  if (differences.length > 0 && isSettlement(probe, command, again)) {
    const message = 'The queued turn never ran; its replay answers with the settlement.';
    judge(probe, id, pass, command, { status: 'passed', severity: 'note', message });
    return true;
  }
  if (differences.length > 0) {
    const expected = isRejection(command.answer) ? 'the rejection' : 'the ack';
    const message =
      `${capitalised(circumstance)}, ${called(command)} was answered with ${describeAnswer(again)} ` +
      `that is not ${expected} it got the first time.`;
    judge(probe, id, pass, command, { status: 'failed', message, differences });
    return false;
  }
  judge(probe, id, pass, command, {
    status: wordingDiffers ? 'warned' : 'passed',
    message: wordingDiffers ? 'The replayed rejection says the same in other words.' : '',
  });
  return true;
}

/**
 * A queued submit answers its ack until it is settled, then its settlement: a rejection, when the turn was reclaimed
 * or could not be launched. Source: Sessions and turns, queued submits.
 */
function isSettlement({ stage }: Probe, command: LiveCommand, again: Answer): boolean {
  const { disposition, turnId } = resultOf(command.answer);
  return (
    disposition === 'queued' &&
    isRejection(again) &&
    !isConflict(again) &&
    !stage.startedTurns.has(String(turnId))
  );
}

/** The `result` of an answer as plain JSON, for reading a member that loses nothing (ids, booleans, enums). */
export function resultOf(answer: Answer | { readonly kind: 'none' }): Readonly<Record<string, unknown>> {
  if (answer.kind !== 'result' || !isRecord(answer.frame.value)) return {};
  const result = answer.frame.value['result'];
  return isRecord(result) ? result : {};
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
