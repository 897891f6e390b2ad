import type { Report } from '../../src/report/model.js';

/** What must come of a manner. */
export interface Row {
  readonly manner: string;
  /** The second word of the server; `{folder}` is the row's own folder. */
  readonly argument?: string;
  /** Default: `models`. */
  readonly scenario?: string;
  readonly exit: 0 | 1 | 3;
  readonly verdict: Report['verdict'];
  /** Ids of all the checks that did not plainly pass. */
  readonly names?: readonly string[];
  /** Text of the reason or of a message. */
  readonly says?: RegExp;
  readonly options?: readonly string[];
  /** The server leaves a process that is out of reach. */
  readonly leavesDaemon?: boolean;
  /** Default 400 MiB. */
  readonly memoryMiB?: number;
}

const UNKNOWN = ['tolerance/unknown-notification'];
const MEMBER = ['tolerance/unknown-member'];

const odd = (manner: string, names: readonly string[] = [], more: Partial<Row> = {}): Row => ({
  manner,
  exit: 0,
  verdict: 'conformant',
  names,
  ...more,
});

const wrong = (manner: string, names: readonly string[], more: Partial<Row> = {}): Row => ({
  manner,
  exit: 1,
  verdict: 'nonconformant',
  names,
  ...more,
});

/** Nothing is wrong with it, and the harness cannot hold what a later step may ask for. */
const tooMuch = (manner: string): Row => ({
  manner,
  exit: 3,
  verdict: 'incomplete',
  names: MEMBER,
  says: /more than the harness holds/,
});

/** Where an answer never comes the wait is cut short; elsewhere the limits are too wide to matter. */
const silent = { options: ['--timeout', '500', '--grace', '300'] };
const brief = { options: ['--grace', '300'] };
const patient = { options: ['--timeout', '2000'] };
const silence = (...names: string[]) => ['replay/answered', 'replay/scenario-completed', ...names];
/** It ended without a word, so there is nothing to judge. */
const absent = (manner: string, says: RegExp): Row => ({ manner, exit: 3, verdict: 'incomplete', says });
const death = ['process/no-crash', 'replay/scenario-completed'];

export const LIFE: readonly Row[] = [
  odd('is-polite'),
  absent('dies-before-the-handshake', /did not start/),
  absent('dies-during-the-handshake', /did not start/),
  wrong('dies-after-the-handshake', death, { says: /model\/list/ }),
  wrong('dies-within-an-answer', death),
  absent('exits-0-at-once', /exit code 0/),
  absent('prints-usage-and-exits-2', /exit code 2/),
  wrong('ends-with-code-5', ['process/exit-code'], { says: /exit code 5/ }),
  wrong('ignores-the-end-of-input', ['process/orderly-exit'], { ...brief, says: /SIGTERM/ }),
  wrong('ignores-SIGTERM', ['process/orderly-exit'], { ...brief, says: /SIGKILL/ }),
  wrong('stops-itself', silence(), silent),
  wrong('closes-stdout-and-lives', ['process/no-crash', 'replay/scenario-completed'], brief),
  odd('leaves-a-child-on-its-stdout', ['process/orderly-exit'], { says: /outlived/ }),
  odd('leaves-thirty-children', ['process/orderly-exit'], { says: /outlived/ }),
  odd('leaves-a-daemon-on-its-stdout', [], { argument: '{folder}/daemon', leavesDaemon: true }),
  odd('restarts-slowly', ['replay/slow'], { ...patient, scenario: 'restarted', argument: '3000' }),
  wrong('does-not-restart', death, { scenario: 'restarted' }),
  odd('leaves-its-socket-file', [], {
    scenario: 'restarted',
    argument: '{stateDir}/socket',
    options: ['--unix', '{stateDir}/socket'],
  }),
  wrong('leaves-its-socket-file', ['process/restarts'], {
    scenario: 'restarted',
    argument: '{workspace}/socket',
    options: ['--unix', '{workspace}/socket'],
    says: /exit code 9/,
  }),
  odd('locks-its-state-away'),
  odd('removes-its-state'),
];

export const PACE: readonly Row[] = [
  wrong('never-answers', silence(), silent),
  wrong('never-reads', silence(), { ...silent, scenario: 'long-request' }),
  odd('reads-slowly', [], { scenario: 'long-request' }),
  odd('answers-late', ['replay/slow'], { ...patient, argument: '3000' }),
  odd('writes-byte-by-byte'),
  odd('writes-a-thousand-frames-at-once', UNKNOWN),
  wrong('writes-a-line-without-end', silence('wire/frame-limit'), silent),
  wrong('writes-a-line-of-a-gibibyte', ['wire/frame-limit']),
  odd('writes-a-line-just-under-the-cap', MEMBER),
  odd('writes-a-line-at-the-cap', MEMBER),
  wrong('writes-a-line-just-over-the-cap', silence('wire/frame-limit'), silent),
  odd('writes-sixty-large-frames', UNKNOWN),
  odd('floods-with-notifications', UNKNOWN),
  wrong('floods-with-known-notifications', ['handshake/capability-gate', 'schema/notification'], {
    says: /more than the harness holds/,
  }),
  tooMuch('floods-with-lawful-notifications'),
  tooMuch('floods-with-large-lawful-notifications'),
  wrong('floods-with-requests', ['wire/server-request-id', 'schema/server-request']),
  wrong('floods-with-text', silence('wire/stdout-only-frames'), silent),
  odd('floods-stderr'),
  wrong('answers-in-a-storm', ['wire/answered-once']),
];

export const WORDS: readonly Row[] = [
  wrong('writes-text', ['wire/stdout-only-frames']),
  wrong('writes-blank-lines', ['wire/stdout-only-frames']),
  wrong('writes-over-several-lines', silence('wire/one-frame-per-line'), silent),
  wrong('writes-a-batch', silence('wire/json-object'), silent),
  wrong('ends-lines-in-CR-LF', ['wire/no-carriage-return']),
  odd('begins-with-a-byte-order-mark', ['wire/json-object']),
  wrong('writes-invalid-UTF-8', ['wire/utf8']),
  wrong('writes-overlong-forms', ['wire/utf8']),
  wrong('writes-surrogates-in-UTF-8', ['wire/utf8']),
  wrong('writes-NUL-bytes', silence('wire/one-frame-per-line'), silent),
  odd('writes-escaped-NULs'),
  odd('writes-lone-surrogates'),
  odd('nests-100000-deep', MEMBER),
  wrong('nests-100000-deep-in-a-known-member', ['replay/response-matches', 'schema/result']),
  wrong('nests-100000-deep-in-an-id', ['wire/frame-shape']),
  wrong('nests-4000000-deep-without-end', ['wire/one-frame-per-line']),
  odd('has-a-million-members', MEMBER),
  odd('has-a-million-members-at-the-top', [...UNKNOWN, 'wire/emitted-at']),
  odd('has-numbers-beyond-doubles', MEMBER),
  odd('has-a-number-of-10000-digits', MEMBER),
  odd('has-a-huge-exponent', MEMBER),
  odd('names-members-after-the-prototype', MEMBER),
  wrong('repeats-members', ['wire/repeated-member']),
  odd('calls-methods-after-the-prototype', UNKNOWN),
  wrong('asks-with-ids-after-the-prototype', ['wire/server-request-id', 'schema/server-request']),
  odd('is-polite', [], { scenario: 'member-names-as-ids' }),
  wrong('changes-its-answers', ['replay/response-matches', ...MEMBER, 'schema/result'], {
    argument: '{folder}/was-here',
    options: ['--repeat', '2'],
  }),
  wrong('changes-its-acks', ['idempotency/duplicate-ack-identical', 'idempotency/duplicate-single-effect'], {
    scenario: 'session',
    options: ['--passes', 'duplicate'],
  }),
];

export const ADDRESSEES: readonly Row[] = [
  wrong('answers-ids-never-asked', ['wire/response-id']),
  wrong('answers-under-the-other-type', silence('wire/response-id'), silent),
  wrong('answers-twice', ['wire/answered-once']),
  wrong('answers-a-huge-id', ['wire/frame-shape']),
  wrong('answers-a-fractional-id', ['wire/frame-shape']),
  wrong('answers-an-empty-id', ['wire/response-id']),
  wrong('answers-an-array-for-an-id', ['wire/frame-shape']),
  wrong('answers-an-id-of-a-mebibyte', ['wire/response-id']),
  wrong('answers-null-for-an-id', ['wire/null-id']),
  wrong('speaks-before-initialized', ['handshake/silent-before-initialized', ...UNKNOWN]),
];
