import { command, type Decision } from '../admission.js';
import type { Call } from '../call.js';
import { Rejection } from '../errors.js';
import { completeItem, openItem } from '../items.js';
import type { Method } from '../method.js';
import type { Session } from '../session.js';
import { reportContext, usedTokens } from '../token-usage.js';

export const COMPACT_METHODS: readonly Method[] = [command('session/compact', compact)];

/** What is left of the context after a compaction, in tokens. */
const SUMMARY_TOKENS = 10;

function compact(call: Call, session: Session): Decision {
  const { state } = session;
  const named = call.params['turnId'] as string | undefined;
  const turnId = named ?? state.activeTurn?.turnId ?? [...state.turns.keys()].at(-1);
  if (turnId === undefined || !state.turns.has(turnId)) {
    throw new Rejection('missing_run', 'there is no run whose context could be compacted');
  }
  if (usedTokens(session) <= SUMMARY_TOKENS)
    return { ack: { status: 'noop', reason: 'no_compactable_history' } };
  return { effect: () => install(session, turnId) };
}

function install(session: Session, turnId: string): void {
  const tokensBefore = usedTokens(session);
  const itemId = openItem(session, { kind: 'compaction', turnId, trigger: 'manual', tokensBefore });
  completeItem(session, itemId, 'completed', {
    outcome: 'compacted',
    strategyId: 'reference-summary',
    summarizedThrough: `c:${session.id}:${session.view.head}`,
    tokensAfter: SUMMARY_TOKENS,
  });
  reportContext(session, SUMMARY_TOKENS);
}
