import { BEHAVIOUR_NAMES } from './scenario.js';
import { boolean, enumeration, listOf, mapOf, object, positiveInteger, type Shape, string } from './shape.js';

const behaviour = enumeration(BEHAVIOUR_NAMES);
const strings = listOf(string);

const oneBehaviourOrSeveral: Shape = (value, path) =>
  Array.isArray(value) ? listOf(behaviour)(value, path) : behaviour(value, path);

/** The members of a manifest that this program reads. All are optional; all others are free. */
export const manifestShape = object({
  kind: string,
  scenario: string,
  provenance: string,
  fingerprint: string,
  serverConfig: object({ frameLimitBytes: positiveInteger }),
  normalize: strings,
  seeds: object(),
  source: listOf(object({ lines: string, cite: string })),
  conformance: object({
    title: string,
    requirement: string,
    requires: object({
      capabilities: strings,
      durability: enumeration(['durable', 'ephemeral']),
      methods: strings,
      transports: listOf(enumeration(['stdio', 'unix', 'tcp'])),
      provider: oneBehaviourOrSeveral,
    }),
    behaviours: mapOf(/^[1-9]\d*$/, 'the line number of a client frame', behaviour),
    passes: strings,
    durationMs: positiveInteger,
    cutShort: boolean,
    match: object({ ignore: strings, bind: strings, shape: strings }),
  }),
});
