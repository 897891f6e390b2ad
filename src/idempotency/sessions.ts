import { v7 as mintUuid } from 'uuid';
import { type Answer, type Exchange, isRecord } from '../replay/exchange.js';
import { askUntilAdmitted } from './ask.js';
import { PassEnded, type Probe, resultOf } from './probe.js';

/** Initializes a new connection as the recording did. Throws `PassEnded` when the server does not let it. */
export async function handshake(probe: Probe): Promise<void> {
  const refusal = await handshakeOn(probe, probe.stage.exchange);
  if (refusal !== undefined)
    throw new PassEnded(
      `initialize after a start was refused: ${refusal}`,
      refusal === NO_ANSWER,
      'process/restarts',
    );
}

/** Initializes a connection; undefined when it worked, else why not. */
export async function handshakeOn({ stage, script }: Probe, exchange: Exchange): Promise<string | undefined> {
  const outcome = await askUntilAdmitted(exchange, 'initialize', script.handshake?.params);
  if (outcome.kind === 'none') return outcome.why === 'timeout' ? NO_ANSWER : 'the connection ended';
  if (outcome.kind === 'error') return `${outcome.code} ${outcome.errorKind}`;
  stage.noteIdentity(outcome.value);
  void exchange.send(JSON.stringify({ jsonrpc: '2.0', method: 'initialized' }));
  return undefined;
}

const NO_ANSWER = 'no answer within the time limit';

export interface ResumedSession {
  readonly sessionId: string;
  /** The answer to the resume; undefined when none came. */
  readonly answer: Answer;
  readonly isLoaded: boolean;
  readonly activeTurnId: string | undefined;
  /** Turns that the served snapshot lists as waiting; undefined when no snapshot was served. */
  readonly queuedTurnIds: readonly string[] | undefined;
  /** An approval or a prompt waits for a person. */
  readonly isParked: boolean;
}

/** Loads a session on the present host under a commandId of the harness' own. */
export async function resumeSession(probe: Probe, sessionId: string): Promise<ResumedSession> {
  const { exchange } = probe.stage;
  const answer = await askUntilAdmitted(exchange, 'session/resume', { sessionId, commandId: mintUuid() });
  if (answer.kind === 'none') {
    throw new PassEnded(
      `session/resume after a restart got no answer (${answer.why})`,
      answer.why === 'timeout',
      'process/restarts',
    );
  }
  const result = resultOf(answer);
  const session = isRecord(result['session']) ? result['session'] : {};
  const activeTurnId = session['activeTurnId'];
  return {
    sessionId,
    answer,
    isLoaded: answer.kind === 'result',
    activeTurnId: typeof activeTurnId === 'string' ? activeTurnId : undefined,
    queuedTurnIds: queuedTurns(result),
    isParked: Array.isArray(result['pendingRequests']) && result['pendingRequests'].length > 0,
  };
}

function queuedTurns(result: Readonly<Record<string, unknown>>): string[] | undefined {
  const history = isRecord(result['history']) ? result['history'] : {};
  const snapshot = isRecord(history['snapshot']) ? history['snapshot'] : {};
  const state = isRecord(snapshot['state']) ? snapshot['state'] : {};
  const queued = state['queuedTurns'];
  if (!Array.isArray(queued)) return undefined;
  return queued.flatMap((turn: unknown) =>
    isRecord(turn) && typeof turn['turnId'] === 'string' ? [turn['turnId']] : [],
  );
}

/** The session that a lifecycle command's answer is about. */
export function sessionIn(answer: Answer | { readonly kind: 'none' }): string | undefined {
  const { session } = resultOf(answer);
  return isRecord(session) && typeof session['sessionId'] === 'string' ? session['sessionId'] : undefined;
}

/** Every session id that `session/list` names, all pages; undefined when the server does not answer it. */
export async function listedSessions({
  stage,
}: Pick<Probe, 'stage'>): Promise<ReadonlySet<string> | undefined> {
  const ids = new Set<string>();
  const asked = new Set<string>();
  let cursor: string | undefined;
  while (true) {
    const answer = await askUntilAdmitted(stage.exchange, 'session/list', {
      limit: 200,
      ...(cursor !== undefined && { cursor }),
    });
    if (answer.kind !== 'result') return undefined;
    const result = resultOf(answer);
    const sessions = Array.isArray(result['sessions']) ? result['sessions'] : [];
    for (const session of sessions as unknown[]) {
      if (isRecord(session) && typeof session['sessionId'] === 'string') ids.add(session['sessionId']);
    }
    const next = result['nextCursor'];
    if (typeof next !== 'string') return ids;
    if (asked.has(next)) return undefined;
    asked.add(next);
    cursor = next;
  }
}
