import type { UnplacedStep } from '../transcript/write-transcript.js';
import { compareExact } from '../wire/compare.js';
import { decodeFrame } from '../wire/decode.js';
import type { Frame } from '../wire/frame.js';
import { fromPointer } from '../wire/pointer.js';

/**
 * Paths of a server's frames, as patterns of a manifest, whose values are ids that the server minted: UUIDs that
 * are others in each recording of one conversation. Frames are laid side by side by what they are: the answers to a
 * request by its id, calls by their method and how many of them came before.
 */
export function mintedPaths(recordings: readonly (readonly UnplacedStep[])[]): string[] {
  const [first, ...others] = recordings.map(labelled);
  if (first === undefined) return [];
  const found = others.map(
    (other) => new Set([...first].flatMap(([label, frame]) => mintedIn(frame, other.get(label)))),
  );
  const [candidates = new Set<string>(), ...rest] = found;
  return [...candidates].filter((path) => rest.every((paths) => paths.has(path))).sort();
}

function labelled(steps: readonly UnplacedStep[]): Map<string, Frame> {
  const counts = new Map<string, number>();
  const frames = new Map<string, Frame>();
  for (const step of steps) {
    if (step.dir !== 'server') continue;
    const frame = decodeFrame(step.raw);
    const name = nameOf(frame);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    frames.set(`${name} ${count}`, frame);
  }
  return frames;
}

function nameOf({ message }: Frame): string {
  return 'method' in message ? message.method : `answer ${JSON.stringify(message.id)}`;
}

function mintedIn(frame: Frame, other: Frame | undefined): string[] {
  if (frame.exact === undefined || other?.exact === undefined) return [];
  return compareExact(frame.exact.value, other.exact.value)
    .filter(({ expected, actual }) => isUuid(expected) && isUuid(actual))
    .map(({ path }) => pathPattern(path));
}

/** A JSON Pointer as a manifest's dotted pattern, in which an index stands for all. */
export function pathPattern(pointer: string): string {
  return fromPointer(pointer)
    .map((step) => (/^\d+$/.test(step) ? '*' : step))
    .join('.');
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}
