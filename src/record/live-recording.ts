import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeManifest } from '../transcript/manifest.js';
import type { Manifest } from '../transcript/scenario.js';
import { TranscriptWriter } from '../transcript/write-transcript.js';
import { decodeFrame } from '../wire/decode.js';
import type { Direction } from '../wire/frame.js';
import { DEFAULT_FRAME_LIMIT_BYTES, type LineEvent } from '../wire/line-splitter.js';
import { fingerprintIn, newManifest, type RecordedFacts, type Tool } from './new-manifest.js';
import { requireFree, requireScenarioId } from './scenario-folder.js';

export interface RecordingOptions {
  /** The folder that the scenario's folder is made in. */
  readonly out: string;
  readonly id: string;
  readonly force: boolean;
  readonly manifest: Manifest | undefined;
  readonly tool: Tool;
  /** Rewrites each frame before it reaches the disk. */
  readonly redact: (raw: string) => string;
  /** Told once about each kind of thing that a transcript cannot hold. */
  readonly warn: (problem: string) => void;
}

/**
 * A scenario that is written while the conversation goes on, in its own place: whatever ends the recorder, the lines
 * up to there are a transcript. What goes wrong with the writing is warned of and never disturbs the conversation.
 */
export class LiveRecording {
  readonly folder: string;
  readonly #facts: RecordedFacts;
  readonly #writer: TranscriptWriter;
  readonly #warned = new Set<string>();
  readonly #taken: { readonly dir: Direction; readonly event: LineEvent }[] = [];
  /** Nothing more is written down. */
  #isOver = false;
  #hasFailed = false;
  /** Until the conversation has come to its end. */
  #isCutShort = true;
  #fingerprint: string | undefined;
  #manifestWritten: Promise<void>;

  private constructor(
    private readonly options: RecordingOptions,
    transport: RecordedFacts['transport'],
  ) {
    this.folder = claimFolder(options);
    this.#facts = {
      scenario: options.id,
      fingerprint: undefined,
      frameLimitBytes: options.manifest?.serverConfig?.frameLimitBytes ?? DEFAULT_FRAME_LIMIT_BYTES,
      transport,
      tool: options.tool,
    };
    this.#writer = transcriptIn(this.folder);
    this.#manifestWritten = this.#writeManifest();
  }

  /** Throws `InputError` for an id that is taken or cannot be used, and the file system's errors. */
  static async begin(
    options: RecordingOptions,
    transport: RecordedFacts['transport'],
  ): Promise<LiveRecording> {
    const recording = new LiveRecording(options, transport);
    // Whatever ends the recorder from now on leaves a manifest beside the lines.
    await recording.#manifestWritten;
    return recording;
  }

  /** True once the disk refused something. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Takes a line that has been passed on. It is written down as soon as all that can be passed on has been. */
  take(dir: Direction, event: LineEvent): void {
    if (this.#taken.length === 0) setImmediate(() => this.#writeTaken());
    this.#taken.push({ dir, event });
  }

  /**
   * Resolves with the number of lines when all is on disk; a recording without any is taken away. `end` says whether
   * the conversation came to its end or was cut short.
   */
  async finish(end: 'whole' | 'cut'): Promise<number> {
    this.#writeTaken();
    this.#isOver = true;
    this.#isCutShort = end === 'cut' || this.#hasFailed;
    await this.#manifestWritten;
    this.#writer.close();
    const { lines } = this.#writer;
    if (lines === 0) rmSync(this.folder, { recursive: true, force: true });
    else if (!this.#isCutShort) await this.#writeManifest();
    return lines;
  }

  #writeTaken(): void {
    const steps = this.#taken.splice(0).flatMap(({ dir, event }) => this.#stepOf(dir, event) ?? []);
    if (this.#isOver || steps.length === 0) return;
    try {
      this.#writer.write(steps.map(({ dir, raw }) => ({ dir, raw: this.options.redact(raw) })));
    } catch (error) {
      this.#isOver = true;
      this.#hasFailed = true;
      this.#warn(`recording stopped, the conversation goes on: ${(error as Error).message}`);
    }
    for (const { dir, raw } of steps) if (dir === 'server') this.#learnFingerprint(raw);
  }

  /** What the transcript can hold of a line, not yet redacted. */
  #stepOf(dir: Direction, event: LineEvent): { dir: Direction; raw: string } | undefined {
    if (event.kind === 'oversize')
      this.#warn(`a line of more than ${event.length - 1} bytes was passed on and not recorded`);
    else if (event.kind === 'unterminated')
      this.#warn(`the last line of the ${dir} had no line end; it was passed on and not recorded`);
    if (event.kind !== 'line') return undefined;
    if (!isUtf8(event.bytes))
      this.#warn(`a frame of the ${dir} was not UTF-8; its transcript has U+FFFD in its place`);
    return { dir, raw: event.bytes.toString('utf8') };
  }

  #learnFingerprint(raw: string): void {
    if (this.#fingerprint !== undefined || !raw.includes('"fingerprint"')) return;
    this.#fingerprint = fingerprintIn(decodeFrame(raw));
    if (this.#fingerprint === undefined) return;
    this.#manifestWritten = this.#manifestWritten.then(() => this.#writeManifest());
  }

  #writeManifest(): Promise<void> {
    const conformance = this.#isCutShort ? { cutShort: true } : {};
    const facts = { ...this.#facts, fingerprint: this.#fingerprint, conformance };
    return writeManifest(this.folder, newManifest(facts, this.options.manifest)).catch((error: Error) => {
      this.#hasFailed = true;
      this.#warn(`the manifest could not be written: ${error.message}`);
    });
  }

  #warn(problem: string): void {
    if (this.#warned.has(problem)) return;
    this.#warned.add(problem);
    this.options.warn(problem);
  }
}

function transcriptIn(folder: string): TranscriptWriter {
  try {
    return new TranscriptWriter(join(folder, 'transcript.ndjson'));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Of two recorders that want the same name at once, one gets it. */
function claimFolder({ out, id, force }: RecordingOptions): string {
  requireScenarioId(id);
  const place = join(resolve(out), id);
  mkdirSync(resolve(out), { recursive: true });
  requireFree(out, id, force);
  const replaced = join(resolve(out), `.${id}.${randomUUID()}.replaced`);
  const isReplaced = existsSync(place);
  if (isReplaced) renameSync(place, replaced);
  mkdirSync(place);
  if (isReplaced) rmSync(replaced, { recursive: true, force: true });
  return place;
}
