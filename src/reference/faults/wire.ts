import type { Fault } from '../faults.js';
import { answers, errors, insteadOf, notices, results, spelling } from './rewriting.js';
import { A_TURN, AN_APPROVAL, BAD_LINES, BAD_PARAMS, replaying } from './showing.js';

const TALKING = replaying(A_TURN);
const REFUSED = replaying(BAD_PARAMS);

/** Bytes, lines and envelopes. */
export const WIRE_FAULTS: readonly Fault[] = [
  {
    name: 'carriage-returns',
    breaks: 'Lines end in LF alone.',
    caughtBy: ['wire/no-carriage-return'],
    shownBy: TALKING,
    seams: () => ({ text: (text) => text.replace('\n', '\r\n') }),
  },
  {
    name: 'pretty-printed',
    breaks: 'A frame is one line.',
    caughtBy: ['wire/one-frame-per-line'],
    shownBy: TALKING,
    seams: () => ({
      text: (text, { frame, method }) =>
        method === 'view/page' ? `${JSON.stringify(frame, null, 2)}\n` : text,
    }),
  },
  {
    name: 'line-end-missing',
    breaks: 'Every frame has a line of its own.',
    caughtBy: ['wire/one-frame-per-line'],
    shownBy: TALKING,
    seams: () => spelling('turn/started', (text) => text.trimEnd()),
  },
  {
    name: 'log-line-on-stdout',
    breaks: 'The connection carries frames alone.',
    caughtBy: ['wire/stdout-only-frames'],
    shownBy: TALKING,
    seams: () => spelling('turn/started', (text) => `[info] a turn has started\n${text}`),
  },
  {
    name: 'batched-answers',
    breaks: 'A frame is an object.',
    caughtBy: ['wire/json-object'],
    shownBy: TALKING,
    seams: () => spelling('view/page', (text) => `[${text.trimEnd()}]\n`),
  },
  {
    name: 'version-missing',
    breaks: 'Every frame says jsonrpc 2.0.',
    caughtBy: ['wire/jsonrpc-version'],
    shownBy: TALKING,
    seams: () => insteadOf(notices('turn/started'), ({ jsonrpc: _, ...rest }) => [rest]),
  },
  {
    name: 'result-beside-error',
    breaks: 'A response has a result or an error.',
    caughtBy: ['wire/frame-shape'],
    shownBy: TALKING,
    seams: () => insteadOf(answers('view/page'), (frame) => [{ ...frame, error: null }]),
  },
  {
    name: 'params-null',
    breaks: 'Params are an object or absent.',
    caughtBy: ['wire/params-object'],
    shownBy: TALKING,
    seams: () =>
      insteadOf(notices('turn/started'), (frame) => [
        { jsonrpc: '2.0', method: 'host/ready', params: null },
        frame,
      ]),
  },
  {
    name: 'result-null',
    breaks: 'A result is an object, not null.',
    caughtBy: ['wire/result-is-object'],
    shownBy: TALKING,
    seams: () => results('view/page', () => null),
  },
  {
    name: 'result-scalar',
    breaks: 'A result is an object, not a scalar.',
    caughtBy: ['wire/result-is-object'],
    shownBy: TALKING,
    seams: () => results('view/page', () => true),
  },
  {
    name: 'result-array',
    breaks: 'A result is an object, not an array.',
    caughtBy: ['wire/result-is-object'],
    shownBy: TALKING,
    seams: () => results('view/page', ({ events }) => events),
  },
  {
    name: 'member-repeated',
    breaks: 'A member occurs once in an object.',
    caughtBy: ['wire/repeated-member'],
    shownBy: TALKING,
    seams: () => spelling('turn/started', (text) => text.replace('{', '{"jsonrpc":"2.0",')),
  },
  {
    name: 'id-becomes-text',
    breaks: 'A response repeats the id of its request, type included.',
    caughtBy: ['wire/response-id'],
    shownBy: TALKING,
    seams: () => insteadOf(answers('view/page'), (frame) => [{ ...frame, id: String(frame['id']) }]),
  },
  {
    name: 'answer-nobody-asked-for',
    breaks: 'A response answers a request.',
    caughtBy: ['wire/response-id'],
    shownBy: TALKING,
    seams: () =>
      insteadOf(notices('turn/started'), (frame) => [{ jsonrpc: '2.0', id: 'nobody', result: {} }, frame]),
  },
  {
    name: 'answered-twice',
    breaks: 'A request is answered once.',
    caughtBy: ['wire/answered-once'],
    shownBy: TALKING,
    seams: () => insteadOf(answers('view/page'), (frame) => [frame, frame]),
  },
  {
    name: 'never-answered',
    breaks: 'A request is answered.',
    caughtBy: ['replay/answered', 'replay/scenario-completed'],
    shownBy: TALKING,
    seams: () => insteadOf(answers('view/page'), () => []),
  },
  {
    name: 'frame-over-the-limit',
    breaks: 'A frame is no longer than the limit.',
    caughtBy: ['wire/frame-limit'],
    shownBy: TALKING,
    seams: () =>
      insteadOf(notices('turn/completed'), (frame) => [{ ...frame, padding: 'x'.repeat(OVER_THE_LIMIT) }]),
  },
  {
    name: 'server-request-id-is-text',
    breaks: 'A request of the server has a positive integer as its id.',
    caughtBy: ['wire/server-request-id'],
    shownBy: replaying(AN_APPROVAL),
    seams: () =>
      insteadOf(notices('approval/request'), (frame) => [
        { ...frame, id: `approval-${String(frame['id'])}` },
      ]),
  },
  {
    name: 'error-is-text',
    breaks: 'An error is an object with a code and a message.',
    caughtBy: ['wire/error-object'],
    shownBy: REFUSED,
    seams: () => errors(({ message }) => message),
  },
  {
    name: 'error-without-kind',
    breaks: 'An error says its kind.',
    caughtBy: ['wire/error-kind'],
    shownBy: REFUSED,
    seams: () => errors(({ data: _, ...rest }) => rest),
  },
  {
    name: 'error-id-lost',
    breaks: 'An error has the id of its request where that could be read.',
    caughtBy: ['wire/null-id'],
    shownBy: REFUSED,
    seams: () =>
      insteadOf(
        (frame, method) => method === 'turn/start' && 'error' in frame,
        (frame) => [{ ...frame, id: null }],
      ),
  },
  {
    name: 'bad-line-ends-the-server',
    breaks: 'A frame that cannot be read does not end the connection, which over stdio is the server.',
    caughtBy: ['wire/connection-survives'],
    shownBy: replaying(BAD_LINES),
    seams: () => ({ survives: () => process.exit(70) }),
  },
];

/** More than the default limit of 10 MiB. */
const OVER_THE_LIMIT = 10_500_000;
