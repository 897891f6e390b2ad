import type { FrameStep, Scenario, Step } from '../transcript/scenario.js';
import { compareExact } from '../wire/compare.js';
import { decodeFrame } from '../wire/decode.js';
import type { Difference } from '../wire/difference.js';
import type { Frame, RequestId } from '../wire/frame.js';
import { idKey } from '../wire/ids.js';
import { replaceValue } from '../wire/rewrite.js';
import { ClientValues } from './client-values.js';
import { expectedFrame } from './expected-frame.js';
import type { MockFailure } from './mock-report.js';

/** What the player wants done, in order. */
export type Act =
  | { readonly kind: 'send'; readonly raw: string }
  | { readonly kind: 'control'; readonly op: 'restart' | 'crash' | 'reconnect' }
  | { readonly kind: 'fail'; readonly failure: MockFailure }
  /** The script is over: what comes is not judged, and the client's end is the end. */
  | { readonly kind: 'complete' };

/** How far a script has been played, for the server's next life. */
export interface Progress {
  /** Index of the next step. */
  readonly next: number;
  /** Recorded and live values of the client. */
  readonly pairs: readonly (readonly [string, string])[];
}

/** Shown differences beyond this many help nobody. */
const DIFFERENCES_LIMIT = 20;

/** Plays the server's side of a recorded scenario. Pure: what to do comes back as acts. */
export class Player {
  readonly #steps: readonly Step[];
  readonly #values: ClientValues;
  /** Recorded request id to the client's own, for requests without an answer yet. */
  readonly #inFlight = new Map<string, RequestId>();
  #next: number;

  constructor(
    private readonly scenario: Scenario,
    progress: Progress = { next: 0, pairs: [] },
  ) {
    // Receivers ignore empty lines, so whether a client sends them is its own affair.
    this.#steps = scenario.steps.filter((step) => step.dir !== 'client' || !isBlank(step.raw));
    this.#next = progress.next;
    this.#values = new ClientValues(progress.pairs);
  }

  get progress(): Progress {
    return { next: this.#next, pairs: this.#values.pairs() };
  }

  get isOver(): boolean {
    return this.#next >= this.#steps.length;
  }

  /** What the server says at the beginning of a connection. */
  start(): Act[] {
    this.#inFlight.clear();
    return this.#proceed();
  }

  /** Takes one line of the client, without its LF. */
  receive(line: Uint8Array): Act[] {
    const live = decodeFrame(line);
    const step = this.#steps[this.#next];
    if (isBlank(live.raw) || step?.dir !== 'client') return [];
    const failure = this.#judge(step, live);
    if (failure !== undefined) return [{ kind: 'fail', failure }];
    this.#next += 1;
    return this.#proceed();
  }

  /** The client has ended its direction. */
  end(): Act[] {
    const step = this.#steps[this.#next];
    return step?.dir === 'client' ? [{ kind: 'fail', failure: this.#failure('clientEof', step) }] : [];
  }

  /** A line that is too long to be any recorded one; `head` is its beginning. */
  tooLong(head: string): Act[] {
    const step = this.#steps[this.#next];
    if (step?.dir !== 'client') return [];
    return [{ kind: 'fail', failure: this.#failure('malformedClientFrame', step, head) }];
  }

  /** Plays on to the next client line or the next control line, which is then behind. */
  #proceed(): Act[] {
    const acts: Act[] = [];
    for (let step = this.#steps[this.#next]; step !== undefined; step = this.#steps[this.#next]) {
      if (step.dir === 'client') return acts;
      this.#next += 1;
      if (step.dir !== 'control') acts.push({ kind: 'send', raw: this.#addressed(step) });
      else if (step.op !== 'wait') return [...acts, { kind: 'control', op: step.op }];
    }
    return [...acts, { kind: 'complete' }];
  }

  /** The recorded line; a response carries the client's own id. */
  #addressed(step: FrameStep): string {
    const { message } = decodeFrame(step.raw);
    if ((message.kind !== 'success' && message.kind !== 'error') || message.id === null) return step.raw;
    const key = idKey(message.id);
    const live = this.#inFlight.get(key);
    this.#inFlight.delete(key);
    if (live === undefined || live === message.id) return step.raw;
    return replaceValue(step.raw, ['id'], JSON.stringify(live));
  }

  #judge(step: FrameStep, live: Frame): MockFailure | undefined {
    const recorded = decodeFrame(step.raw);
    if (recorded.message.kind === 'invalid') return this.#judgeMalformed(step, recorded, live);
    if (live.message.kind === 'invalid' || live.invalidUtf8At !== undefined) {
      return {
        ...this.#failure('malformedClientFrame', step, live.raw),
        differences: asJson(recorded, live),
      };
    }
    return this.#divergence(step, live, [...this.#differences(recorded, live), ...repeated(recorded, live)]);
  }

  /** What is recorded as no frame must come again: as the same JSON, or as the same text, a CR at its end aside. */
  #judgeMalformed(step: FrameStep, recorded: Frame, live: Frame): MockFailure | undefined {
    const [expected, actual] = [step.raw, live.raw].map((raw) => raw.replace(/\r$/, ''));
    if (expected === actual) return undefined;
    const isJson = recorded.exact !== undefined && live.exact !== undefined;
    const asText: Difference = { path: '', kind: 'changed', expected, actual };
    return this.#divergence(step, live, isJson ? asJson(recorded, live) : [asText]);
  }

  #differences(recorded: Frame, live: Frame): Difference[] {
    const [before, now] = [recorded.exact?.value ?? null, live.exact?.value ?? null];
    const expected = expectedFrame(before, now, this.#values);
    const others = compareExact(expected, now, DIFFERENCES_LIMIT);
    if (recorded.message.kind !== 'request' || live.message.kind !== 'request') return others;
    const ids = this.#unifyIds(recorded.message.id, live.message.id);
    return [...ids, ...others.filter(({ path }) => path !== '/id')];
  }

  /** Ids in flight are held one-to-one; to use one again after its answer is the client's right. */
  #unifyIds(recorded: RequestId, id: RequestId): Difference[] {
    const key = idKey(recorded);
    const known = this.#inFlight.get(key);
    const isTaken = [...this.#inFlight].some(([other, used]) => other !== key && idKey(used) === idKey(id));
    if ((known === undefined || idKey(known) === idKey(id)) && !isTaken) {
      this.#inFlight.set(key, id);
      return [];
    }
    const expected = known ?? 'an id that is not in flight';
    return [{ path: '/id', kind: 'changed', expected, actual: id }];
  }

  #divergence(step: FrameStep, live: Frame, differences: readonly Difference[]): MockFailure | undefined {
    if (differences.length === 0) return undefined;
    return this.#failure('frameDivergence', step, live.raw, differences);
  }

  #failure(
    problem: MockFailure['problem'],
    step: FrameStep,
    received?: string,
    differences: readonly Difference[] = [],
  ): MockFailure {
    return {
      report: 'mockFailure',
      scenario: this.scenario.id,
      problem,
      line: step.line,
      expected: step.raw,
      ...(received !== undefined && { received }),
      differences,
    };
  }
}

/** Of a member that comes twice the reader's last counts, which hides the first. */
function repeated(recorded: Frame, live: Frame): Difference[] {
  const known = recorded.exact?.repeatedMembers ?? [];
  const unknown = (live.exact?.repeatedMembers ?? []).filter((path) => !known.includes(path));
  return unknown.map((path) => ({ path, kind: 'extra', actual: 'the member a second time' }));
}

function isBlank(raw: string): boolean {
  return raw === '' || raw === '\r';
}

/** Where two frames differ that need not be messages; nothing where one of them is no JSON. */
function asJson({ exact: recorded }: Frame, { exact: live }: Frame): readonly Difference[] {
  return recorded && live ? compareExact(recorded.value, live.value, DIFFERENCES_LIMIT) : [];
}
