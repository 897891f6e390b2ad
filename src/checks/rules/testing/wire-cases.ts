import type { Cases } from './case.js';
import {
  answer,
  approvalRequest,
  ask,
  client,
  end,
  hello,
  initialize,
  notify,
  refuse,
  SESSION,
  server,
  welcome,
} from './crafted-frames.js';

const list = ask(2, 'session/list', {});
const listed = answer(2, { sessions: [], nextCursor: null });
const served = [...hello(), list, listed];

export const WIRE_CASES: Cases = {
  'wire/one-frame-per-line': {
    fails: [...hello(), list, server('{'), server('  "jsonrpc": "2.0",'), server('}')],
    passes: served,
  },
  'wire/stdout-only-frames': { fails: [server('[INFO] listening'), ...served], passes: served },
  'wire/utf8': {
    fails: [...hello(), { dir: 'server', raw: Uint8Array.of(0x7b, 0xff, 0x7d) }],
    passes: served,
  },
  'wire/json-object': { fails: [...hello(), server('[{"jsonrpc":"2.0"}]')], passes: served },
  'wire/jsonrpc-version': {
    fails: [...hello(), list, server('{"id":2,"result":{"sessions":[],"nextCursor":null}}')],
    passes: served,
  },
  'wire/frame-shape': {
    fails: [...hello(), list, server({ id: 2, result: {}, error: null })],
    passes: served,
  },
  'wire/params-object': {
    fails: [...hello(), server({ method: 'skill/changed', params: null })],
    passes: served,
  },
  'wire/result-is-object': { fails: [...hello(), list, answer(2, null)], passes: served },
  'wire/error-object': {
    fails: [...hello(), list, server({ id: 2, error: 'no' })],
    passes: [...hello(), list, refuse(2, -32602, 'invalidParams')],
  },
  'wire/error-kind': {
    fails: [...hello(), list, refuse(2, -32602)],
    passes: [...hello(), list, refuse(2, -32602, 'invalidParams')],
  },
  'wire/frame-limit': {
    fails: [...hello(), list, server({ id: 2, result: { sessions: [], nextCursor: 'x'.repeat(2000) } })],
    passes: served,
    context: { frameLimitBytes: 1000 },
  },
  'wire/no-carriage-return': {
    fails: [
      ...hello(),
      list,
      server('{"jsonrpc":"2.0","id":2,"result":{"sessions":[],"nextCursor":null}}\r'),
    ],
    passes: [...hello(), client('{"jsonrpc":"2.0","id":2,"method":"session/list","params":{}}\r'), listed],
  },
  'wire/repeated-member': {
    fails: [
      ...hello(),
      list,
      server('{"jsonrpc":"2.0","id":2,"result":{"sessions":[],"sessions":[],"nextCursor":null}}'),
    ],
    passes: served,
  },
  'wire/response-id': {
    fails: [...hello(), list, answer('2', { sessions: [], nextCursor: null })],
    passes: served,
  },
  'wire/answered-once': { fails: [...served, listed], passes: [...served, list, listed] },
  'wire/request-answered': { fails: [...hello(), list, end('drained')], passes: [...served, end('drained')] },
  'wire/server-request-id': {
    fails: [...hello(), approvalRequest(3), approvalRequest(3)],
    passes: [...hello(), approvalRequest(3), approvalRequest(17)],
  },
  'wire/null-id': {
    fails: [...hello(), list, refuse(null, -32602, 'invalidParams')],
    passes: [...hello(), client('{"jsonrpc":'), refuse(null, -32700, 'parseError'), list, listed],
  },
  'wire/connection-survives': {
    fails: [...hello(), client('garbage'), refuse(null, -32700, 'parseError'), list, end('server-closed')],
    passes: [
      ...hello(),
      client('garbage'),
      refuse(null, -32700, 'parseError'),
      list,
      listed,
      end('server-closed'),
    ],
  },
  'wire/emitted-at': {
    fails: [
      ...hello(),
      server({ method: 'session/closed', params: { sessionId: SESSION, reason: 'idle', viewCursor: null } }),
    ],
    passes: [...hello(), notify('session/closed', { sessionId: SESSION, reason: 'idle', viewCursor: null })],
    gives: 'note',
  },
  'handshake/completed': {
    fails: [initialize(), refuse(1, -32603, 'internal')],
    passes: [initialize(), welcome()],
  },
};
