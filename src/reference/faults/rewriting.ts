import type { Seams } from '../faults.js';
import type { JsonObject } from '../json.js';

/** The results of a method, changed on their way out. */
export function results(method: string, change: (result: JsonObject) => unknown): Pick<Seams, 'frames'> {
  return {
    frames: (frames, at) =>
      frames.map((frame) =>
        at.method === method && 'result' in frame
          ? { ...frame, result: change(frame['result'] as JsonObject) }
          : frame,
      ),
  };
}

/** The notifications and server requests of a method, their params changed on their way out. */
export function notifications(
  method: string,
  change: (params: JsonObject) => JsonObject,
): Pick<Seams, 'frames'> {
  return {
    frames: (frames) =>
      frames.map((frame) =>
        frame['method'] === method ? { ...frame, params: change(frame['params'] as JsonObject) } : frame,
      ),
  };
}

/** The errors that the server sends, changed on their way out. */
export function errors(change: (error: JsonObject) => unknown): Pick<Seams, 'frames'> {
  return {
    frames: (frames) =>
      frames.map((frame) =>
        'error' in frame ? { ...frame, error: change(frame['error'] as JsonObject) } : frame,
      ),
  };
}

/** What goes out in place of the frames that are `about`: the answers to a method, or its notifications. */
export function insteadOf(
  about: (frame: JsonObject, method: string) => boolean,
  substitute: (frame: JsonObject) => readonly JsonObject[],
): Pick<Seams, 'frames'> {
  return {
    frames: (frames, { method }) =>
      frames.flatMap((frame) => (about(frame, method) ? substitute(frame) : [frame])),
  };
}

export function answers(method: string): (frame: JsonObject, about: string) => boolean {
  return (frame, about) => about === method && frame['method'] === undefined;
}

export function notices(method: string): (frame: JsonObject) => boolean {
  return (frame) => frame['method'] === method;
}

/** The text of the frames of a method (or of the answers to it), changed on its way out. */
export function spelling(method: string, change: (text: string) => string): Pick<Seams, 'text'> {
  return { text: (text, at) => (at.method === method ? change(text) : text) };
}

/** An event once more, under a cursor of its own. */
export function again(event: JsonObject): JsonObject {
  const { viewCursor, ...params } = event['params'] as JsonObject;
  return { ...event, params: { ...params, viewCursor: `${String(viewCursor)}-` } };
}
