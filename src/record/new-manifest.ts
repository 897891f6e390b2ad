import type { ConformanceSection, Manifest } from '../transcript/scenario.js';
import type { UnplacedStep } from '../transcript/write-transcript.js';
import { decodeFrame } from '../wire/decode.js';
import type { Frame } from '../wire/frame.js';
import { valueAt } from '../wire/pointer.js';

/** What a recording says that it was made with. */
export interface Tool {
  readonly name: string;
  readonly version: string;
}

export interface RecordedFacts {
  readonly scenario: string;
  /** From the handshake; absent when the server named none. */
  readonly fingerprint: string | undefined;
  readonly frameLimitBytes: number;
  readonly transport: 'stdio' | 'unix' | 'tcp';
  readonly tool: Tool;
  readonly conformance?: ConformanceSection;
}

/**
 * The manifest of a recording. Members of `given` come first, those of its `conformance` and `serverConfig` one by
 * one; the scenario's name, the provenance and the fingerprint are always the recording's own.
 */
export function newManifest(facts: RecordedFacts, given: Manifest = {}): Manifest {
  const { kind, schemaVersion, viewSchemaVersion, transports, normalize, seeds, source, ...others } = given;
  const conformance = { ...facts.conformance, ...given.conformance };
  return {
    ...others,
    kind: kind ?? 'mspTranscript',
    schemaVersion: schemaVersion ?? 1,
    scenario: facts.scenario,
    provenance: 'host-generated',
    ...(facts.fingerprint !== undefined && { fingerprint: facts.fingerprint }),
    viewSchemaVersion: viewSchemaVersion ?? 1,
    serverConfig: { frameLimitBytes: facts.frameLimitBytes, ...given.serverConfig },
    transports: transports ?? [facts.transport],
    normalize: normalize ?? [],
    seeds: seeds ?? {},
    source: source ?? [],
    tool: facts.tool,
    ...(Object.keys(conformance).length > 0 && { conformance }),
  };
}

/** The schema fingerprint in an initialize result; undefined in any other frame. */
export function fingerprintIn(frame: Frame): string | undefined {
  const found = valueAt(frame.value, ['result', 'schema', 'fingerprint']);
  return typeof found === 'string' ? found : undefined;
}

/** The fingerprint that a server announced in a conversation, if it did. */
export function fingerprintOf(steps: readonly UnplacedStep[]): string | undefined {
  for (const step of steps) {
    const found = step.dir === 'server' ? fingerprintIn(decodeFrame(step.raw)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
