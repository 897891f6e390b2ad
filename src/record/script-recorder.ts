import { join } from 'node:path';
import type { Connection } from '../target/connection.js';
import { type Host, openHost } from '../target/host.js';
import { type TargetSpec, transportOf } from '../target/spec.js';
import { within } from '../target/within.js';
import type { Workbench } from '../target/workbench.js';
import { writeManifest } from '../transcript/manifest.js';
import type { BehaviourName } from '../transcript/scenario.js';
import { TranscriptWriter, type UnplacedStep } from '../transcript/write-transcript.js';
import type { Frame } from '../wire/frame.js';
import { DEFAULT_FRAME_LIMIT_BYTES } from '../wire/line-splitter.js';
import { rewriteStrings } from '../wire/rewrite.js';
import { RecordingError } from './errors.js';
import { neutralPaths } from './neutral-paths.js';
import { fingerprintIn, newManifest } from './new-manifest.js';
import type { RecordScriptOptions } from './record-script.js';
import type { ScriptLine } from './script.js';
import { ScriptValues, UnknownPlaceholder } from './script-values.js';
import { ScriptedClient } from './scripted-client.js';

/** Records one script over all lives of its server. */
export class ScriptRecorder {
  readonly #values: ScriptValues;
  readonly #writer: TranscriptWriter;
  readonly #clean: (raw: string) => string;
  readonly #frameLimitBytes: number;
  readonly #behaviours: Record<string, BehaviourName> = {};
  #written = 0;
  #host: Host | undefined;
  #onProgress: () => void = () => {};
  #fingerprint: string | undefined;

  constructor(
    private readonly spec: TargetSpec,
    private readonly bench: Workbench,
    private readonly options: RecordScriptOptions,
    private readonly folder: string,
  ) {
    const neutral = neutralPaths(bench);
    this.#clean = (raw) => options.redact(neutral(raw));
    this.#values = new ScriptValues(bench.workspace);
    this.#writer = new TranscriptWriter(join(folder, 'transcript.ndjson'));
    this.#frameLimitBytes = options.manifest?.serverConfig?.frameLimitBytes ?? DEFAULT_FRAME_LIMIT_BYTES;
  }

  async record(lines: readonly ScriptLine[]): Promise<void> {
    try {
      await this.#lives(lines);
    } finally {
      this.#writer.close();
    }
    const hasBehaviours = Object.keys(this.#behaviours).length > 0;
    const facts = {
      scenario: this.options.id,
      fingerprint: this.#fingerprint,
      frameLimitBytes: this.#frameLimitBytes,
      transport: transportOf(this.spec),
      tool: this.options.tool,
      ...(hasBehaviours && { conformance: { behaviours: this.#behaviours } }),
    };
    await writeManifest(this.folder, newManifest(facts, this.options.manifest));
  }

  /** From one control line to the next the script speaks over one connection. */
  async #lives(lines: readonly ScriptLine[]): Promise<void> {
    let host = await this.#open();
    try {
      let rest = lines;
      for (;;) {
        const end = rest.findIndex(({ kind }) => kind === 'control');
        const connection = await host.connect();
        const stretch = end === -1 ? rest : rest.slice(0, end);
        const client = new ScriptedClient(stretch, connection, this.#values, this.#tell, this.#adapt);
        await this.#play(client, connection);
        const control = rest[end];
        if (control?.kind !== 'control') break;
        this.#write({ dir: 'control', op: control.op });
        if (control.op === 'reconnect') connection.destroy();
        else {
          await (control.op === 'crash' ? host.kill() : host.stop());
          host = await this.#open();
        }
        rest = rest.slice(end + 1);
      }
      await host.stop();
    } finally {
      await host.kill();
    }
  }

  async #open(): Promise<Host> {
    this.#host = await openHost(this.spec, this.bench, {
      frameLimitBytes: this.#frameLimitBytes,
      clock: () => performance.now(),
    });
    return this.#host;
  }

  async #play(client: ScriptedClient, connection: Connection): Promise<void> {
    const closed = connection.closed.then(() => 'closed' as const);
    const played = client.play().then(() => 'played' as const);
    for (;;) {
      const progress = new Promise<'progress'>((resolve) => {
        this.#onProgress = () => resolve('progress');
      });
      const outcome = await within(Promise.race([played, closed, progress]), this.spec.timeoutMs).catch(
        (error: unknown) => {
          throw error instanceof UnknownPlaceholder ? this.#failure(client, error.message) : error;
        },
      );
      if (outcome === 'played') return;
      if (outcome === 'closed')
        throw this.#failure(client, `the server closed the connection; expected ${client.waitsFor}`);
      if (outcome === 'late') {
        throw this.#failure(
          client,
          `the server did not send ${client.waitsFor} within ${this.spec.timeoutMs} ms`,
        );
      }
    }
  }

  readonly #tell = (step: UnplacedStep, line: ScriptLine | undefined, frame: Frame): void => {
    this.#fingerprint ??= fingerprintIn(frame);
    this.#write(step);
    if (line?.kind === 'send' && line.behaviour !== undefined)
      this.#behaviours[this.#written] = line.behaviour;
    this.#onProgress();
  };

  /** A turn with a behaviour gets the input that brings it about on this server, where the target names it. */
  readonly #adapt = (raw: string, line: ScriptLine): string => {
    const text = line.kind === 'send' && line.behaviour !== undefined && this.spec.behaviours[line.behaviour];
    if (!text) return raw;
    let isFirst = true;
    return rewriteStrings(raw, (path) => {
      if (!isFirst || path[1] !== 'input' || path.at(-1) !== 'text') return undefined;
      isFirst = false;
      return text;
    });
  };

  #write(step: UnplacedStep): void {
    this.#writer.write([step.dir === 'control' ? step : { ...step, raw: this.#clean(step.raw) }]);
    this.#written += 1;
  }

  #failure(client: ScriptedClient, problem: string): RecordingError {
    const line = client.current?.line;
    const place = line === undefined ? this.options.scriptFile : `${this.options.scriptFile}:${line}`;
    const tail = this.#host?.stderrTail() ?? '';
    return new RecordingError(
      `${place}: ${problem}`,
      tail === '' ? undefined : `The end of what the server wrote:\n${tail.trimEnd()}`,
    );
  }
}
