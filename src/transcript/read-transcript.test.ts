import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExactNumber } from '../wire/exact-json.js';
import { InputError } from './errors.js';
import { readTranscript } from './read-transcript.js';
import type { Step } from './scenario.js';

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  file = join(folder, 'transcript.ndjson');
});

afterAll(() => rm(folder, { recursive: true }));

const good = '{"dir":"client","raw":"{}"}';

describe('readTranscript accepts', () => {
  it.each([
    ['CRLF line ends', `${good}\r\n${good}\r\n`, [1, 2]],
    ['a missing last line end', `${good}\n${good}`, [1, 2]],
    ['empty and blank lines', `\n${good}\n\r\n  \t\n${good}\n\n`, [2, 5]],
    ['a byte-order mark at the start', `\ufeff${good}\n`, [1]],
    ['white space and any member order', ` { "raw" : "{}" , "dir" : "client" }\n`, [1]],
  ])('%s', async (_name, content, lines) => {
    const steps = await read(content);
    expect(steps).toEqual(lines.map((line) => ({ dir: 'client', raw: '{}', line })));
  });

  it('a client frame that ends in CR, lone surrogates and NULs', async () => {
    const raw = '{"a":"\\ud800"}\u0000\r';
    expect(await read(JSON.stringify({ dir: 'client', raw }))).toEqual([{ dir: 'client', raw, line: 1 }]);
  });

  it.each(['restart', 'crash', 'reconnect', 'wait'])('the control line %s with its members', async (op) => {
    expect(await read(JSON.stringify({ dir: 'control', op, ms: 5 }))).toEqual([
      { dir: 'control', op, line: 1, extra: { ms: 5 } },
    ]);
  });

  it('unknown members, and keeps them without loss', async () => {
    const line = '{"dir":"server","raw":"","__proto__":1,"at":18446744073709551615}';
    const [step] = await read(line);
    expect(Object.entries(step?.extra ?? {})).toEqual([
      ['__proto__', 1],
      ['at', new ExactNumber('18446744073709551615')],
    ]);
  });
});

describe('readTranscript refuses, naming the place', () => {
  it.each<[string, string | Buffer, string]>([
    [
      'an empty file',
      '',
      '1:1: the transcript is empty; expected one {"dir": ..., "raw": ...} object on each line',
    ],
    [
      'blank lines only',
      '\n\n',
      '2:1: the transcript is empty; expected one {"dir": ..., "raw": ...} object on each line',
    ],
    ['text', 'hello', '1:1: not JSON: expected a JSON value, found "h"'],
    [
      'a cut line',
      `${good}\n{"dir":"client","raw":"{`,
      '2:25: not JSON: expected a closing quote, found the end of the text',
    ],
    ['two objects on a line', `${good}${good}`, '1:28: not JSON: expected the end of the text, found "{"'],
    [
      'a mark and then no JSON',
      '\ufeff{"dir"}',
      '1:7: not JSON: expected ":" after a member name, found "}"',
    ],
    ['a second mark', `${good}\n\ufeff${good}`, '2:1: not JSON: expected a JSON value, found U+FEFF'],
    ['an array', `${good}\n\n [1]`, '3:2: found an array; expected a {"dir": ..., "raw": ...} object'],
    ['null', 'null', '1:1: found null; expected a {"dir": ..., "raw": ...} object'],
    ['no dir', '{"raw":"{}"}', '1:1: "dir" is missing; expected "client", "server" or "control"'],
    [
      'an unknown dir',
      '{"raw":"", "dir": "cli\u009bent"}',
      '1:19: "dir" is "cli\\u009bent"; expected "client", "server" or "control"',
    ],
    [
      'a dir from the prototype',
      '{"__proto__":{"dir":"client","raw":""}}',
      '1:1: "dir" is missing; expected "client", "server" or "control"',
    ],
    ['no raw', '{"dir":"client"}', '1:1: "raw" is missing; expected a string that holds the frame'],
    [
      'a raw object',
      '{"dir":"server","raw":{}}',
      '1:23: "raw" is an object; expected a string that holds the frame',
    ],
    [
      'no op',
      '{"dir":"control"}',
      '1:1: "op" is missing; expected "restart", "crash", "reconnect" or "wait"',
    ],
    [
      'an unknown op',
      '{"dir":"control","op":"kill"}',
      '1:23: "op" is "kill"; expected "restart", "crash", "reconnect" or "wait"',
    ],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from(`${good}\n{"dir":"é`), Buffer.from([0xff])]),
      '2:10: byte 38 of the file (0xff) is not valid UTF-8; expected UTF-8 text',
    ],
    [
      'a long line',
      `${good}\n${' '.repeat(1001)}`,
      '2:1: the line is longer than 1000 bytes; expected one frame on each line',
    ],
  ])('%s', async (_name, content, message) => {
    const error = await failure(content);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toBe(`${file}:${message}`);
    const [line, column] = message.split(':').map(Number);
    expect(error).toMatchObject({ file, line, column });
  });

  it('a line after the steps before it have been given', async () => {
    await writeFile(file, `${good}\n${good}\nno\n`);
    const steps: Step[] = [];
    const reading = (async () => {
      for await (const step of readTranscript(file)) {
        steps.push(step);
      }
    })();
    await expect(reading).rejects.toThrow(InputError);
    expect(steps.map(({ line }) => line)).toEqual([1, 2]);
  });

  it.each([
    ['a missing file', () => join(folder, 'absent'), 'cannot be read: no such file or folder'],
    ['a folder', () => folder, 'is a folder; expected a file'],
    ['a device', () => '/dev/null', 'is no regular file; expected a file'],
  ])('%s', async (_name, path, message) => {
    const reading = readTranscript(path()).next();
    await expect(reading).rejects.toThrow(`${path()}: ${message}`);
  });

  it('a FIFO, without waiting for a writer', async () => {
    const fifo = join(folder, 'fifo');
    execFileSync('sh', ['-c', 'mkfifo "$0"', fifo]);
    await expect(readTranscript(fifo).next()).rejects.toThrow('is no regular file');
  });
});

describe('a damaged transcript', () => {
  const whole = `${good}\n{"dir":"control","op":"wait","ms":1}\r\n{"dir":"server","raw":"\u00e9\\u0000"}\n`;

  it('cut at any byte reads or ends in an InputError', async () => {
    const bytes = Buffer.from(whole);
    for (let length = 0; length < bytes.length; length += 1) {
      const error = await failure(bytes.subarray(0, length));
      expect(error === undefined || error instanceof InputError).toBe(true);
    }
  });

  it('with any bytes changed reads or ends in an InputError', async () => {
    const change = fc.tuple(fc.nat(Buffer.byteLength(whole) - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) {
          bytes[at] = byte;
        }
        const error = await failure(bytes);
        expect(error === undefined || error instanceof InputError).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

async function read(content: string | Buffer): Promise<Step[]> {
  await writeFile(file, content);
  const steps: Step[] = [];
  for await (const step of readTranscript(file, { lineLimitBytes: 1000 })) {
    steps.push(step);
  }
  return steps;
}

async function failure(content: string | Buffer): Promise<unknown> {
  return read(content).then(
    () => undefined,
    (error: unknown) => error,
  );
}
