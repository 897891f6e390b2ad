import { v7 as mintUuid } from 'uuid';
import { type Exchange, isRecord } from '../replay/exchange.js';
import { askUntilAdmitted } from './ask.js';
import type { ViewEvent, ViewReading } from './view.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * What a session looks like now, told as the events that must have brought it about: for servers whose view cannot
 * be paged. `session/read` writes nothing and subscribes to nothing, so it is asked first; a host that does not serve
 * it is asked to resume the session.
 */
export async function readHistory(exchange: Exchange, sessionId: string): Promise<ViewReading> {
  const read = await askUntilAdmitted(exchange, 'session/read', { sessionId, excludeItems: false });
  const told = read.kind === 'result' ? eventsOfHistory(sessionId, resultOf(read.frame.value)) : undefined;
  if (told !== undefined) return { kind: 'read', from: 'history', events: told };
  const resumed = await askUntilAdmitted(exchange, 'session/resume', { sessionId, commandId: mintUuid() });
  if (resumed.kind === 'none')
    return { kind: 'unreadable', why: `session/resume was not answered (${resumed.why})` };
  if (resumed.kind === 'error')
    return { kind: 'unreadable', why: `session/resume answered ${resumed.errorKind}` };
  const events = eventsOfHistory(sessionId, resultOf(resumed.frame.value));
  if (events === undefined) return { kind: 'unreadable', why: 'session/resume served no history' };
  return { kind: 'read', from: 'history', events };
}

function resultOf(frame: unknown): Members {
  return isRecord(frame) && isRecord(frame['result']) ? frame['result'] : {};
}

/** Undefined when the result holds neither items nor a snapshot: then nothing can be said of what happened. */
export function eventsOfHistory(sessionId: string, result: Members): ViewEvent[] | undefined {
  const history = recordOf(result['history']);
  const state = recordOf(recordOf(history['snapshot'])['state']);
  const items = Array.isArray(history['items']) ? history['items'] : state['items'];
  if (!Array.isArray(items)) return undefined;
  const session = recordOf(result['session']);
  const event = (method: string, params: Members): ViewEvent => ({
    method,
    params: { sessionId, ...params },
    cursor: '',
  });
  return [
    ...items.filter(isRecord).map((item) => event('item/completed', { item })),
    ...endedTurns(result, state['turnCount'] ?? session['turnCount']).map((turn) =>
      event('turn/completed', turn),
    ),
    ...settings(state, session).map(([method, params]) => event(method, params)),
  ];
}

/** One ended turn for each that is counted; only the last one is known by its id. */
function endedTurns({ lastTurn }: Members, turnCount: unknown): Members[] {
  const count = typeof turnCount === 'number' && turnCount > 0 ? turnCount : 0;
  const { turnId, terminal } = recordOf(lastTurn);
  const known = typeof turnId === 'string' ? [{ turnId, terminal }] : [];
  return [...Array.from({ length: count }, () => ({})), ...known];
}

function settings(state: Members, session: Members): [string, Members][] {
  const model = recordOf(state['effectiveModel'])['modelId'] ?? session['modelId'];
  const mode = recordOf(state['approvalMode'] ?? session['approvalMode'])['mode'];
  const told: [string, Members][] = [
    ['session/goalChanged', { goal: state['goal'] }],
    ['session/nameChanged', { name: state['name'] ?? session['name'] }],
    ['session/modelChanged', { modelId: model }],
    ['session/approvalModeChanged', { mode }],
    [
      'session/reasoningEffortChanged',
      { reasoningEffort: recordOf(state['reasoningEffort'])['reasoningEffort'] },
    ],
  ];
  return told.filter(([, params]) =>
    Object.values(params).some((value) => value !== undefined && value !== null),
  );
}

function recordOf(value: unknown): Members {
  return isRecord(value) ? value : {};
}
