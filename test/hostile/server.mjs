// A server with one bad manner, named by its first argument: a line of the table, with the means of `means.mjs`.
import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, closeSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import {
  adding,
  ahead,
  argument,
  child,
  exit,
  first,
  flooding,
  forever,
  instead,
  isAgain,
  listen,
  listing,
  naming,
  notice,
  ofBytes,
  on,
  onModels,
  slowly,
  text,
} from './means.mjs';
import { model, RESULTS, serve } from './polite.mjs';

const CAP = 10 * 1024 * 1024;
const stateDir = process.env['MSP_STATE_DIR'] ?? '';
const ESCAPES = '\\u001b]0;owned\\u0007\\u001b[2J\\u009b31mred\\r';
const XML = ']]></failure><testsuite name=\\"owned\\"/>&#0;\\u0000\\ufffe';
const HTML = '</script><script>owned()</script><img src=x onerror=owned()>';
const SHELL = '$(touch owned)`touch owned`; touch owned; {stateDir}';
const lines = (line, count) => `${line}\n`.repeat(count);
const lawful = (padding) => notice('skill/changed', { sessionId: 'unknown', padding });
const deep = (count) => '['.repeat(count) + ']'.repeat(count);
const members = (count) => Array.from({ length: count }, (_, index) => `"m${index.toString(36)}":0`).join();

// biome-ignore-start lint/complexity/noCommaOperator: a line each
// biome-ignore format: a table
const MANNERS = {
  'is-polite': () => ({}),
  'only-lives': () => instead(forever),

  // How it lives and dies
  'dies-before-the-handshake': () => instead(exit(7)),
  'dies-during-the-handshake': () => on('initialize', exit(7)),
  'dies-after-the-handshake': () => on('initialized', exit(7)),
  'dies-within-an-answer': () => onModels((request, io) => io.write(listing(request).slice(0, 50)).then(() => process.kill(process.pid, 'SIGKILL'))),
  'exits-0-at-once': () => instead(exit(0)),
  'prints-usage-and-exits-2': () => instead(() => (console.error('usage: server --port PORT'), process.exit(2))),
  'ends-with-code-5': () => ({ ends: exit(5) }),
  'ignores-the-end-of-input': () => ({ ends: forever }),
  'ignores-SIGTERM': () => ({ begins: () => void process.on('SIGTERM', () => {}), ends: forever }),
  'stops-itself': () => onModels(() => process.kill(process.pid, 'SIGSTOP')),
  'closes-stdout-and-lives': () => onModels(() => closeSync(1)),
  'leaves-a-child-on-its-stdout': () => first(() => child()),
  'leaves-a-daemon-on-its-stdout': () => first(() => writeFileSync(argument, String(child({ detached: true })))),
  'leaves-thirty-children': () => first(() => { for (let n = 0; n < 30; n += 1) spawn('sleep', ['600'], { stdio: 'ignore' }); }),
  'restarts-slowly': () => ({ begins: () => isAgain() && (setTimeout(serve, Number(argument), {}), true) }),
  'does-not-restart': () => first(() => isAgain() && process.exit(4)),
  'leaves-its-socket-file': () => instead(() => (process.on('SIGTERM', () => process.kill(process.pid, 'SIGKILL')), listen(argument))),
  'locks-its-state-away': () => first(() => (mkdirSync(`${stateDir}/locked/in`, { recursive: true }), chmodSync(`${stateDir}/locked`, 0))),
  'removes-its-state': () => first(() => rmSync(stateDir, { recursive: true, force: true })),

  // How it reads and writes
  'never-answers': () => instead(() => process.stdin.resume()),
  'never-reads': () => instead(forever),
  'reads-slowly': () => ({ input: Readable.from(slowly(process.stdin)) }),
  'answers-late': () => onModels((request, io) => setTimeout(io.answer, Number(argument), request)),
  'writes-byte-by-byte': () => ({ writes: async (bytes) => { for (const byte of Buffer.from(bytes)) await new Promise((taken) => process.stdout.write(Buffer.of(byte), taken)); } }),
  'writes-a-thousand-frames-at-once': () => ahead(...Array(1000).fill(notice('hostile/notice'))),
  'writes-a-line-without-end': () => instead(async (io) => { for (;;) await io.write('x'.repeat(1 << 20)); }),
  'writes-a-line-of-a-gibibyte': () => onModels(async (request, io) => { for (let n = 0; n < 1024; n += 1) await io.write('x'.repeat(1 << 20)); io.write('\n').then(() => io.answer(request)); }),
  'writes-a-line-just-under-the-cap': () => ofBytes(CAP - 1),
  'writes-a-line-at-the-cap': () => ofBytes(CAP),
  'writes-a-line-just-over-the-cap': () => ofBytes(CAP + 1),
  'writes-sixty-large-frames': () => flooding(`${notice('hostile/notice', { padding: 'x'.repeat(4 << 20) })}\n`, 60),
  'floods-with-large-lawful-notifications': () => flooding(`${lawful('x'.repeat(1 << 20))}\n`, 100),
  'floods-with-notifications': () => flooding(lines(notice('hostile/notice'), 1000), 1000),
  'floods-with-lawful-notifications': () => flooding(lines(lawful('x'), 1000), 200),
  'floods-with-known-notifications': () => flooding(lines(notice('session/listChanged'), 1000), 1000),
  'floods-with-requests': () => flooding(lines(text({ id: 1, method: 'hostile/ask', params: {} }), 1000), 200),
  'floods-with-text': () => instead(async (io) => { for (;;) await io.write(lines('all is well', 1000)); }),
  'floods-stderr': () => first(() => { for (let n = 0; n < 64; n += 1) process.stderr.write(`${'e'.repeat(1 << 20)}\n`); }),
  'answers-in-a-storm': () => onModels((request, io) => io.write(lines(listing(request), 10_000))),

  // What it writes
  'writes-text': () => ahead('INFO: a model was asked for'),
  'writes-blank-lines': () => ahead('', ' ', ''),
  'writes-over-several-lines': () => onModels(({ id }, io) => io.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS['model/list']() }, null, 2)}\n`)),
  'writes-a-batch': () => onModels((request, io) => io.write(`[${listing(request)}]\n`)),
  'ends-lines-in-CR-LF': () => ({ says: (line) => `${line}\r\n` }),
  'begins-with-a-byte-order-mark': () => on('initialize', (request, io) => io.write('\ufeff').then(() => io.answer(request))),
  'writes-invalid-UTF-8': () => naming([0x80, 0xff]),
  'writes-overlong-forms': () => naming([0xc0, 0xaf]),
  'writes-surrogates-in-UTF-8': () => naming([0xed, 0xa0, 0x80]),
  'writes-NUL-bytes': () => naming([0]),
  'writes-escaped-NULs': () => naming('a\\u0000b'),
  'writes-lone-surrogates': () => naming('\\ud800'),
  'nests-100000-deep': () => adding(`"deep":${deep(100_000)}`),
  'nests-100000-deep-in-a-known-member': () => onModels(({ id }, io) => io.write(`{"jsonrpc":"2.0","id":${id},"result":{"models":${deep(100_000)}}}\n`)),
  'nests-100000-deep-in-an-id': () => ahead(`{"jsonrpc":"2.0","id":${deep(100_000)},"result":{}}`),
  'nests-4000000-deep-without-end': () => ahead('['.repeat(4_000_000)),
  'has-a-million-members': () => adding(`"many":{${members(1_000_000)}}`),
  'has-a-million-members-at-the-top': () => ahead(`{"jsonrpc":"2.0","method":"hostile/notice",${members(1_000_000)}}`),
  'has-numbers-beyond-doubles': () => adding('"numbers":[1e400,-1e400,1e-400]'),
  'has-a-number-of-10000-digits': () => adding(`"number":1${'0'.repeat(10_000)}`),
  'has-a-huge-exponent': () => adding('"number":1e999999999999'),
  'puts-1e400-where-a-number-belongs': () => naming('x","outputLimit":1e400,"displayLabel":"x'),
  'names-members-after-the-prototype': () => adding('"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x","hasOwnProperty":0'),
  'repeats-members': () => adding('"profileId":"again","profileId":null'),
  'calls-methods-after-the-prototype': () => ahead(...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((method) => notice(method))),
  'asks-with-ids-after-the-prototype': () => ahead(...['__proto__', 'constructor', 'toString'].map((id) => text({ id, method: 'hostile/ask', params: {} }))),
  'changes-its-answers': () => onModels((request, io) => io.write(`${isAgain(argument) ? listing(request).replace('"source":', '"origin":') : listing(request)}\n`)),
  'changes-its-acks': () => on('session/start', (request, io) => io.answer(request, { ...RESULTS['session/start'](request.params), viewCursor: `v:${process.hrtime.bigint()}` })),

  // Whom it answers
  'answers-ids-never-asked': () => ahead(text({ id: 99, result: {} })),
  'answers-under-the-other-type': () => onModels((request, io) => io.answer({ ...request, id: String(request.id) })),
  'answers-twice': () => onModels((request, io) => (io.answer(request), io.answer(request))),
  'answers-a-huge-id': () => ahead('{"jsonrpc":"2.0","id":99999999999999999999999999,"result":{}}', '{"jsonrpc":"2.0","id":1e400,"result":{}}'),
  'answers-a-fractional-id': () => ahead('{"jsonrpc":"2.0","id":2.5,"result":{}}'),
  'answers-an-empty-id': () => ahead('{"jsonrpc":"2.0","id":"","result":{}}'),
  'answers-an-array-for-an-id': () => ahead('{"jsonrpc":"2.0","id":[2],"result":{}}', '{"jsonrpc":"2.0","id":{"toString":2},"result":{}}'),
  'answers-an-id-of-a-mebibyte': () => ahead(text({ id: 'i'.repeat(1 << 20), result: {} })),
  'answers-null-for-an-id': () => ahead(text({ id: null, error: { code: -32700, message: 'what?', data: { kind: 'parseError' } } })),
  'speaks-before-initialized': () => on('initialize', (request, io) => (io.write(`${notice('hostile/notice')}\n`), io.answer(request))),

  // Strings that some reader might obey; what is wrong with each answer makes the reports show them
  'has-escapes-in-every-string': () => ({ ...obeyed(ESCAPES), ...first(() => process.stderr.write('\u001b[2J\u009b31mred\n')) }),
  'has-XML-in-every-string': () => obeyed(XML),
  'has-HTML-in-every-string': () => obeyed(HTML),
  'has-commands-in-every-string': () => obeyed(SHELL),
  'keeps-what-it-reads': () => ({ begins: () => void process.stdin.on('data', (bytes) => appendFileSync(argument, bytes)) }),
};

// biome-ignore-end lint/complexity/noCommaOperator: a line each

/** The same text in every place of the handshake and of the answer, which lacks a member. */
function obeyed(escaped) {
  const own = JSON.parse(`"${escaped}"`);
  const everywhere = (value) =>
    JSON.parse(JSON.stringify(value), (_, inner) =>
      typeof inner === 'string' && !inner.startsWith('sha256:') ? own : inner,
    );
  return {
    answers: {
      initialize: (request, io) => io.answer(request, everywhere(RESULTS.initialize())),
      'model/list': async (request, io) => {
        await io.write(`${notice(own, { [own]: own })}\n`);
        io.answer(request, { ...everywhere({ models: [model()] }), [own]: own });
      },
    },
  };
}

const manner = MANNERS[process.argv[2] ?? ''] ?? (() => instead(exit(64)));
serve(manner());
