import type { Call } from '../call.js';
import { refuseUnloaded } from '../call.js';
import { create } from '../creation.js';
import { envelopeOf } from '../envelope.js';
import { ProtocolError, Rejection } from '../errors.js';
import { HISTORY_BUDGET_BYTES, historyOf, noHistory } from '../history.js';
import { addItem, completeItem } from '../items.js';
import type { JsonObject } from '../json.js';
import { findSession } from '../loading.js';
import type { Method } from '../method.js';
import type { Session } from '../session.js';
import type { SessionFold } from '../session-fold.js';
import type { Created } from '../state.js';

export const BRANCH_METHODS: readonly Method[] = [
  { name: 'session/fork', isWithheldWhenEphemeral: true, serve: fork },
  { name: 'session/sideChat', serve: openSideChat },
];

function fork(call: Call): Promise<void> {
  return create(call, async () => {
    const source = await findSession(call.host, call.sessionId);
    const lastTurnId = (call.params['cutPoint'] as { lastTurnId: string } | undefined)?.lastTurnId;
    const cut = lastTurnId === undefined ? lastEnd(source) : endOf(source, lastTurnId);
    const provenance = {
      commandId: call.commandId,
      sessionId: source.id,
      cutCursor: source.view.cursor(cut),
    };
    return {
      sessionId: call.host.ids.next(),
      created: { ...inherited(source), forkedFrom: { ...provenance, cutExplicit: lastTurnId !== undefined } },
      seed: (session) => copyEvents(source, cut, session),
      result: (session) => envelope(call, session),
    };
  });
}

/** Where the last turn ended; with nothing running, everything there is. */
function lastEnd(source: SessionFold): number {
  if (!source.state.activeTurn) return source.view.head;
  const ends = source.view.durable(0).filter(({ method }) => method === 'turn/completed');
  return ends.at(-1)?.position ?? 0;
}

function endOf(source: SessionFold, turnId: string): number {
  const end = source.view
    .durable(0)
    .find(({ method, params }) => method === 'turn/completed' && params['turnId'] === turnId);
  if (end) return end.position;
  throw new ProtocolError('forkBoundaryInvalid', `turn ${turnId} is no completed turn of this session`, {
    lastTurnId: turnId,
    sessionId: source.id,
  });
}

/** The same events, told of the new session. What was open at the cut is open nowhere here. */
function copyEvents(source: SessionFold, cut: number, session: Session): void {
  for (const { method, params } of source.view.durable(0, cut + 1)) {
    const { sessionId: _, viewCursor: __, sourceRange: ___, ...members } = params;
    session.emit(method, members);
  }
  for (const { itemId } of session.state.items.values()) completeItem(session, itemId, 'cancelled');
}

function openSideChat(call: Call): void | Promise<void> {
  const source = call.loadedSession();
  if (!source) return refuseUnloaded(call);
  return create(call, () => {
    if (source.state.created?.sideFrom) {
      throw new Rejection('not_a_main_session', 'a side chat is opened from a main session');
    }
    const provenance = { commandId: call.commandId, sessionId: source.id, cutCursor: source.view.cursor() };
    return {
      sessionId: call.host.ids.next(),
      created: { ...inherited(source), sideFrom: provenance },
      result: (session) => envelope(call, session),
      afterwards: (session) => tellParent(source, session.id),
    };
  });
}

function tellParent(source: Session, sideSessionId: string): void {
  const turnId = source.state.activeTurn?.turnId;
  addItem(source, {
    kind: 'sideChat',
    ...(turnId !== undefined && { turnId }),
    sideSessionId,
    fallbackText: 'a side chat was opened',
  });
}

function inherited({ state }: SessionFold): Omit<Created, 'at' | 'commandId'> {
  return {
    workspaceRoot: state.created?.workspaceRoot ?? null,
    workspaceRoots: state.workspaceRoots,
    modelId: state.model.modelId,
    providerId: state.model.providerId,
    approvalMode: state.approvalMode.mode,
  };
}

function envelope({ host, params }: Call, session: Session): JsonObject {
  const history =
    params['excludeItems'] === true
      ? noHistory('excluded')
      : historyOf(session, 'inline', Math.min(HISTORY_BUDGET_BYTES, host.contentLimitBytes));
  const { lastTurn: _, ...envelope } = envelopeOf(session, session.toObject(), history);
  return envelope;
}
