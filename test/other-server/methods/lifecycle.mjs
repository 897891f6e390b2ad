import { isAbsolute } from 'node:path';
import { admit, intake, replay, sign } from '../admission.mjs';
import { Fault, rejection } from '../errors.mjs';
import { uuid7 as mint, sealCursor } from '../ids.mjs';
import {
  COMMAND,
  flag,
  list,
  may,
  mayBeNull,
  need,
  object,
  oneOf,
  refuseExperimental,
  take,
  text,
  uuid7,
} from '../params.mjs';
import { proceed } from '../recovery.mjs';
import { history, pendingRequests, readState, sessionObject } from '../views.mjs';
import { DEFAULT_MODEL, isInCatalog, PROVIDER } from './catalog.mjs';
import { found, rejoin } from './founding.mjs';
import { follow, missingAnchor } from './viewing.mjs';

/** @typedef {import('../connection.mjs').Connection} Connection */
/** @typedef {import('../admission.mjs').Reply} Reply */

export const MODES = oneOf('allowAll', 'promptUnmatched', 'onRequest', 'denyUnmatched');

export const lifecycleMethods = { 'session/start': startSession };
export const storedSessionMethods = { 'session/resume': resumeSession, 'session/read': readSession };

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function startSession(connection, raw) {
  refuseExperimental(raw, 'session/start', 'worktree');
  const params = take(raw, {
    commandId: COMMAND.commandId,
    sessionId: may(uuid7),
    workspaceRoot: may(isPath),
    workspaceRoots: may(list(isPath)),
    modelId: may(text),
    providerId: mayBeNull(text),
    approvalMode: mayBeNull(MODES),
    config: may(object),
  });
  const { commandId, workspaceRoot, workspaceRoots } = params;
  if (workspaceRoot !== undefined && workspaceRoots !== undefined && workspaceRoots[0] !== workspaceRoot) {
    throw new Fault('invalidParams', 'Two first folders are one too many.');
  }
  const { host } = connection;
  const signature = sign('session/start', params);
  const known = host.ledger.get(commandId);
  if (known !== undefined) return rejoin(connection, replay(commandId, known, signature));
  const refusal = refusalOf(host, params);
  if (refusal !== undefined) {
    refuseForGood(host, commandId, signature, refusal.error);
    throw refusal;
  }
  return found(connection, {
    method: 'session/start',
    commandId,
    signature,
    id: params['sessionId'] ?? mint(),
    born: {
      workspaceRoot: workspaceRoot ?? workspaceRoots?.[0] ?? null,
      modelId: params['modelId'] ?? DEFAULT_MODEL,
      providerId: params['providerId'] ?? PROVIDER,
      mode: params['approvalMode'] ?? host.defaultMode,
      forkedFrom: null,
    },
  });
}

/** @param {import('../host.mjs').Host} host @param {Record<string, any>} params @returns {Fault | undefined} */
function refusalOf(host, { commandId, sessionId, modelId }) {
  if (sessionId !== undefined && host.isStored(sessionId)) return rejection(commandId, 'session_id_conflict');
  if (modelId !== undefined && !isInCatalog(modelId)) return rejection(commandId, 'model_not_in_catalog');
  return undefined;
}

/** A rejection that no session's log can hold. @param {import('../host.mjs').Host} host @param {string} id @param {string} signature @param {any} error */
function refuseForGood(host, id, signature, error) {
  const entry = intake(id, 'session/start', signature, { error });
  host.journal.append([entry]);
  host.learn([entry]);
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function resumeSession(connection, raw) {
  const params = take(raw, {
    ...COMMAND,
    cursor: mayBeNull(text),
    excludeItems: may(flag),
    history: may(oneOf('auto', 'inline', 'snapshot', 'anchored')),
    config: may(object),
  });
  const { session, isFresh } = connection.host.load(params['sessionId']);
  try {
    return resumeLoaded(connection, session, params, isFresh);
  } catch (fault) {
    if (isFresh) proceed(session);
    throw fault;
  }
}

/**
 * @param {Connection} connection @param {import('../session.mjs').Session} session @param {Record<string, any>} params
 * @param {boolean} isFresh whether this very command loaded it @returns {Reply}
 */
function resumeLoaded(connection, session, params, isFresh) {
  const { cursor, commandId, history: preference, excludeItems } = params;
  const after = cursor === undefined ? undefined : session.position(cursor);
  const isKnown = session.state.ledger.has(commandId);
  if (cursor !== undefined && after === undefined && !isKnown) throw missingAnchor(session.id, cursor);
  const reply = admit(session, 'session/resume', params, () => ({
    result: {
      pendingRequests: pendingRequests(session.id, session.state),
      history: history(session.id, session.state, {
        preference,
        fallback: connection.host.historyForm,
        isExcluded: excludeItems === true,
        isSuffix: after !== undefined,
        head: session.head,
      }),
      viewCursor: session.head,
      session: connection.host.describe(session),
    },
  }));
  return {
    result: reply.result,
    afterAck: () => {
      reply.afterAck?.();
      follow(connection, session, after ?? session.position(reply.result.viewCursor));
      if (isFresh) proceed(session);
    },
  };
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function readSession(connection, raw) {
  const { host } = connection;
  const { sessionId, excludeItems } = take(raw, { sessionId: need(text), excludeItems: may(flag) });
  if (!host.isStored(sessionId))
    throw new Fault('sessionNotFound', 'There is no such session.', { sessionId });
  const live = host.sessions.get(sessionId);
  const state = live?.state ?? readState(host.pathOf(sessionId));
  const place = { path: host.pathOf(sessionId), isLoaded: live !== undefined };
  const head = live?.head ?? sealCursor(sessionId, state.seq);
  return {
    result: {
      session: sessionObject(sessionId, state, place),
      viewCursor: head,
      pendingRequests: pendingRequests(sessionId, state),
      history: history(sessionId, state, {
        fallback: host.historyForm,
        isExcluded: excludeItems === true,
        head,
      }),
      ...(state.lastTurn === undefined ? {} : { lastTurn: state.lastTurn }),
    },
  };
}

/** @param {unknown} value */
function isPath(value) {
  return typeof value === 'string' && isAbsolute(value);
}
