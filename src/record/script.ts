import { readFile } from 'node:fs/promises';
import { describe, oneOf } from '../transcript/describe.js';
import { InputError, unreadable } from '../transcript/errors.js';
import { BEHAVIOUR_NAMES, type BehaviourName, CONTROL_OPS, type ControlOp } from '../transcript/scenario.js';
import { decodeFrame } from '../wire/decode.js';
import { locateValue } from '../wire/locate.js';

/** One line of a client script, with its 1-based place in the file. */
export type ScriptLine =
  | {
      readonly kind: 'send';
      readonly line: number;
      /** The frame's text; placeholders are filled when it is sent. */
      readonly raw: string;
      /** What the frame's turn must bring about; its input text is the target's own for that. */
      readonly behaviour?: BehaviourName;
      /** True: sent without waiting for the answers of earlier requests. */
      readonly isPipelined: boolean;
    }
  /** Wait for a server frame that holds these members; each frame satisfies one such line. */
  | { readonly kind: 'await'; readonly line: number; readonly members: string }
  | { readonly kind: 'control'; readonly line: number; readonly op: Exclude<ControlOp, 'wait'> };

/**
 * Reads a client script: on each line a client frame as it stands, `{"dir":"client","raw":"<frame>"}`,
 * `{"frame":{...}}`, `{"await":{...}}` or `{"dir":"control","op":...}`; blank lines and lines that begin with `#` or
 * `//` are passed over. Throws `InputError` with file, line and column.
 */
export async function readClientScript(file: string): Promise<readonly ScriptLine[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const lines = text.split('\n').flatMap((content, index) => scriptLine(content, file, index + 1) ?? []);
  if (!lines.some(({ kind }) => kind === 'send')) {
    throw new InputError({ file }, 'the script holds no client frame; expected one on each line');
  }
  return lines;
}

function scriptLine(content: string, file: string, line: number): ScriptLine | undefined {
  const text = content.replace(/\r$/, '');
  if (/^\s*(#|\/\/|$)/.test(text)) return undefined;
  const fail = (problem: string, column = 1): never => {
    throw new InputError({ file, line, column }, problem);
  };
  const { value, message } = decodeFrame(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail(message.kind === 'invalid' ? message.problem : `found ${describe(value)}`);
  }
  const object = value as Readonly<Record<string, unknown>>;
  if ('await' in object) {
    if (typeof object['await'] !== 'object') fail('"await" must be an object of the members to wait for');
    return { kind: 'await', line, members: sourceOf(text, 'await') };
  }
  if (object['dir'] === 'control') {
    const op = CONTROL_OPS.find((known) => known === object['op']);
    if (op === undefined) return fail(`"op" is ${describe(object['op'])}; expected ${oneOf(CONTROL_OPS)}`);
    return op === 'wait' ? undefined : { kind: 'control', line, op };
  }
  const raw =
    rawOf(object, text) ?? fail(`expected a client frame, "frame", "raw", "await" or a control line`);
  if (isResponse(raw)) fail('a response cannot be scripted: server requests are answered as they come');
  const { behaviour, pipelined } = object;
  const known = BEHAVIOUR_NAMES.find((name) => name === behaviour);
  if (behaviour !== undefined && known === undefined) {
    fail(`"behaviour" is ${describe(behaviour)}; expected ${oneOf(BEHAVIOUR_NAMES)}`);
  }
  return { kind: 'send', line, raw, isPipelined: pipelined === true, ...(known && { behaviour: known }) };
}

function rawOf(object: Readonly<Record<string, unknown>>, text: string): string | undefined {
  if ('jsonrpc' in object) return text;
  if ('frame' in object) return sourceOf(text, 'frame');
  return object['dir'] === 'client' && typeof object['raw'] === 'string' ? object['raw'] : undefined;
}

/** The member's own text, so that white space and number spelling go out as they are written. */
function sourceOf(text: string, member: string): string {
  const range = locateValue(text, [member]);
  return range === undefined ? '' : text.slice(range.start, range.end);
}

function isResponse(raw: string): boolean {
  const { kind } = decodeFrame(raw).message;
  return kind === 'success' || kind === 'error';
}
