import type { Frame } from '../../wire/frame.js';
import type { CheckId } from '../catalogue.js';
import { membersOf, type Observation, type Rule } from './observation.js';
import type { Verdicts } from './verdicts.js';

/** The envelope of each server frame: one JSON object a line, in one of the four shapes. */
export class FrameForm implements Rule {
  private hasBegun = false;

  constructor(private readonly verdicts: Verdicts) {}

  observe({ at, message }: Observation): void {
    if (at.dir === 'client') return;
    if (!this.hasBegun) for (const id of FORM_CHECKS) this.verdicts.exercise(id);
    this.hasBegun = true;
    if (message.kind === 'success') this.observeResult(message.result, at);
    if (message.kind === 'notification') this.observeEmittedAt(at.frame.value, at);
    if (message.kind !== 'invalid') {
      this.observeMark(at);
      return;
    }
    const { id, problem, isOpen } = faultOf(at.frame, message.problem);
    this.verdicts.report(id, { message: problem, at }, isOpen ? 'warning' : 'violation');
  }

  /** A mark before a frame that reads well; before one that does not, it is the frame's fault. */
  private observeMark(at: Observation['at']): void {
    if (at.frame.raw.startsWith(MARK))
      this.verdicts.report('wire/json-object', { message: MARKED, at }, 'warning');
  }

  private observeResult(result: unknown, at: Observation['at']): void {
    this.verdicts.exercise('wire/result-is-object');
    if (membersOf(result) !== undefined) return;
    const found = Array.isArray(result) ? 'an array' : JSON.stringify(result);
    this.verdicts.report('wire/result-is-object', {
      message: `The result is ${found}; expected an object, {} where there is nothing to say.`,
      at,
    });
  }

  private observeEmittedAt(frame: unknown, at: Observation['at']): void {
    this.verdicts.exercise('wire/emitted-at');
    const emittedAt = membersOf(frame)?.['emittedAtMs'];
    if (Number.isInteger(emittedAt)) return;
    const found = emittedAt === undefined ? 'no emittedAtMs' : `emittedAtMs ${JSON.stringify(emittedAt)}`;
    this.verdicts.report('wire/emitted-at', {
      message: `The notification has ${found}; current servers send Unix milliseconds beside method.`,
      at,
    });
  }
}

const MARK = '\uFEFF';
const MARKED = 'The line begins with a byte-order mark.';

const FORM_CHECKS = [
  'wire/one-frame-per-line',
  'wire/stdout-only-frames',
  'wire/json-object',
  'wire/jsonrpc-version',
  'wire/frame-shape',
  'wire/params-object',
] as const satisfies readonly CheckId[];

interface Fault {
  readonly id: CheckId;
  readonly problem: string;
  /** The documents leave the point open. */
  readonly isOpen?: boolean;
}

function faultOf(frame: Frame, problem: string): Fault {
  if (frame.value === undefined) return faultOfText(frame.raw, problem);
  const members = membersOf(frame.value);
  if (members === undefined)
    return { id: 'wire/json-object', problem: `The line is JSON and no frame: ${problem}.` };
  if (!ENVELOPE_MEMBERS.some((name) => Object.hasOwn(members, name)))
    return {
      id: 'wire/stdout-only-frames',
      problem: 'The line is a JSON object with no member of a frame, such as a structured log line.',
    };
  if (members['jsonrpc'] !== '2.0') return { id: 'wire/jsonrpc-version', problem: `${sentence(problem)}` };
  if (Object.hasOwn(members, 'error') && !Object.hasOwn(members, 'id'))
    return {
      id: 'wire/null-id',
      problem: 'The error has no id; an id that could not be read is sent as null.',
    };
  if (Object.hasOwn(members, 'method') && Object.hasOwn(members, 'params') && !membersOf(members['params']))
    return { id: 'wire/params-object', problem: sentence(problem) };
  if (Object.hasOwn(members, 'method') && Object.hasOwn(members, 'id') && !hasAnswer(members))
    return { id: 'wire/server-request-id', problem: sentence(problem) };
  return { id: 'wire/frame-shape', problem: sentence(problem) };
}

const ENVELOPE_MEMBERS = ['jsonrpc', 'method', 'id', 'result', 'error'];

function hasAnswer(members: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(members, 'result') || Object.hasOwn(members, 'error');
}

function faultOfText(raw: string, problem: string): Fault {
  if (raw.startsWith(MARK)) return { id: 'wire/json-object', problem: MARKED, isOpen: true };
  const text = raw.trim();
  if (text === '') return { id: 'wire/stdout-only-frames', problem: 'The server wrote a blank line.' };
  if (looksLikeJson(text))
    return {
      id: 'wire/one-frame-per-line',
      problem: `The line is not one whole JSON object: ${problem}. Serialize without indentation and end each frame with one LF.`,
    };
  return {
    id: 'wire/stdout-only-frames',
    problem: 'The server wrote text that is no frame. Diagnostics belong on stderr.',
  };
}

/** A piece of JSON rather than prose: a bracket, a quoted member, or closing brackets; `[INFO]` is prose. */
function looksLikeJson(text: string): boolean {
  return /^(?:\{|[}\]],?|\[\s*(?:[{["\d\]-]|$)|"[^"]*"\s*[:,]?)/.test(text);
}

function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}
