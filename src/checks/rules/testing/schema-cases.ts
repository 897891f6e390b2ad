import type { Cases } from './case.js';
import {
  accept,
  answer,
  approvalRequest,
  ask,
  COMMAND,
  client,
  hello,
  initialize,
  initialized,
  itemCompleted,
  notify,
  refuse,
  rename,
  renamed,
  SESSION,
  server,
  submit,
  welcome,
} from './crafted-frames.js';

const list = ask(2, 'session/list', {});
const listed = answer(2, { sessions: [], nextCursor: null });

export const SCHEMA_CASES: Cases = {
  'schema/params': {
    fails: [...hello(), ask(2, 'session/rename', { sessionId: SESSION, commandId: COMMAND }), renamed(2)],
    // What the server refused may be wrong on purpose.
    passes: [
      ...hello(),
      ask(2, 'session/rename', { sessionId: SESSION }),
      refuse(2, -32602, 'invalidParams'),
      rename(3, 'a'),
      renamed(3),
    ],
  },
  'schema/result': {
    fails: [...hello(), list, answer(2, { sessions: [] })],
    passes: [...hello(), list, listed],
  },
  'schema/notification': {
    fails: [...hello(), notify('session/closed', { sessionId: SESSION, reason: 'idle' })],
    passes: [...hello(), notify('session/closed', { sessionId: SESSION, reason: 'idle', viewCursor: null })],
  },
  'schema/server-request': {
    fails: [...hello(), server({ id: 1, method: 'userInput/request', params: { sessionId: SESSION } })],
    passes: [...hello(), approvalRequest(1)],
  },
  'schema/receipt': {
    fails: [...hello(), approvalRequest(1), client({ id: 1, result: ['presented'] })],
    passes: [...hello(), approvalRequest(1), client({ id: 1, result: {} })],
  },
  'schema/error': {
    fails: [...hello(), list, refuse(2, -32002, 'inputTooLarge', { limitBytes: 'many' })],
    passes: [...hello(), list, refuse(2, -32002, 'inputTooLarge', { limitBytes: 5 })],
  },
  'schema/error-pair': {
    fails: [...hello(), list, refuse(2, -32603, 'invalidParams')],
    passes: [...hello(), list, refuse(2, -32602, 'invalidParams')],
  },
  'schema/fingerprint': {
    fails: hello(),
    passes: [],
    gives: 'warned',
    context: { live: true },
  },
  'tolerance/unknown-member': {
    fails: [...hello(), list, answer(2, { sessions: [], nextCursor: null, future: 1 })],
    passes: [],
    gives: 'note',
  },
  'tolerance/unknown-enum-value': {
    fails: [...hello(), itemCompleted(1, { kind: 'hologram' })],
    passes: [],
    gives: 'note',
  },
  'tolerance/unknown-notification': {
    fails: [...hello(), notify('session/future', {})],
    passes: [],
    gives: 'note',
  },
  'tolerance/unknown-method': {
    fails: [...hello(), ask(2, 'session/future', {}), answer(2, {})],
    passes: [],
    gives: 'note',
  },
  'tolerance/unknown-error-kind': {
    fails: [...hello(), list, refuse(2, -32602, 'futureKind')],
    passes: [],
    gives: 'note',
  },
  'tolerance/unknown-member-accepted': {
    fails: [...hello(), ask(2, 'session/list', { nonsense: 1 }), refuse(2, -32602, 'invalidParams')],
    passes: [...hello(), ask(2, 'session/list', { nonsense: 1 }), listed],
    gives: 'warned',
  },
  'handshake/silent-before-initialized': {
    fails: [initialize(), welcome(), notify('skill/changed', { sessionId: SESSION }), initialized],
    passes: [...hello(), notify('skill/changed', { sessionId: SESSION })],
  },
  'handshake/not-initialized': {
    fails: [ask(9, 'session/list', {}), answer(9, { sessions: [], nextCursor: null }), ...hello()],
    passes: [ask(9, 'session/list', {}), refuse(9, -32600, 'notInitialized'), ...hello()],
  },
  'handshake/already-initialized': {
    fails: [...hello(), initialize(), welcome()],
    passes: [...hello(), initialize(), refuse(1, -32600, 'alreadyInitialized')],
  },
  'handshake/experimental-echo': {
    fails: hello(undefined, { experimentalApi: true }),
    passes: hello({ experimentalApi: true }, { experimentalApi: true }),
  },
  'handshake/granted-subset': {
    fails: hello(undefined, { grantedCapabilities: ['userShell'] }),
    passes: hello(
      { requestedCapabilities: ['userShell', 'unheardOf'] },
      { grantedCapabilities: ['userShell'] },
    ),
    gives: 'note',
  },
  'handshake/capability-gate': {
    fails: [
      ...hello(),
      ask(2, 'session/userShell', { sessionId: SESSION, commandId: COMMAND, command: 'ls' }),
      renamed(2),
    ],
    passes: [
      ...hello(),
      ask(2, 'session/userShell', { sessionId: SESSION, commandId: COMMAND, command: 'ls' }),
      refuse(2, -32010, 'capabilityRequired', { capability: 'userShell' }),
    ],
  },
  'handshake/experimental-gate': {
    fails: [...hello(), submit(2, { tokenBudget: 5 }), accept(2)],
    passes: [...hello(), submit(2, { tokenBudget: 5 }), refuse(2, -32602, 'experimentalRequired')],
  },
  'handshake/opt-out-honoured': {
    fails: [
      ...hello({ optOutNotificationMethods: ['skill/changed'] }),
      notify('skill/changed', { sessionId: SESSION }),
    ],
    passes: [
      ...hello({ optOutNotificationMethods: ['skill/changed', 'view/gap'] }),
      notify('view/gap', { sessionId: SESSION, after: 'a', next: 'b' }),
    ],
  },
};
