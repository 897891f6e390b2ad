import { type Bundle, type MethodEntry, resolveReference } from './bundle.js';
import { definitionsUsedFrom } from './definition-usage.js';
import { enumChoices } from './enum-choices.js';
import { type JsonSchema, pointerTo } from './json-schema.js';

/** Something in a bundle that loads and yet is wrong or looks unintended. */
export interface BundleProblem {
  /** JSON Pointer into the bundle. */
  readonly pointer: string;
  readonly rule: BundleRule;
  /** `error`: the bundle contradicts itself. `warning`: probably an oversight. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export type BundleRule =
  | 'repeatedMember'
  | 'repeatedCode'
  | 'repeatedKind'
  | 'reservedCode'
  | 'paramsNotAnObject'
  | 'resultNotAnObject'
  | 'unlistedRequiredMember'
  | 'repeatedEnumValue'
  | 'unlistedKind'
  | 'missingDescriptor'
  | 'unusedDefinition';

/** Definitions that describe frames; no method refers to them. */
const ENVELOPES = [
  'Request',
  'Notification',
  'SuccessResponse',
  'ErrorResponse',
  'ErrorObject',
  'TraceContext',
];

/**
 * What a loaded bundle says twice, contradicts or never uses. What keeps a bundle from loading at all (dangling
 * references and the like) is in the `faults` of the `BundleError`.
 */
export function checkBundle(bundle: Bundle): readonly BundleProblem[] {
  return [
    ...bundle
      .repeatedMembers()
      .map((pointer) =>
        problem(pointer, 'repeatedMember', 'the name occurs more than once; the last one counts'),
      ),
    ...registryProblems(bundle),
    ...entryProblems(bundle),
    ...[...bundle.schemas()].flatMap(([schema, pointer]) => schemaProblems(schema, pointer)),
    ...unusedDefinitions(bundle),
  ];
}

function registryProblems(bundle: Bundle): BundleProblem[] {
  const known = enumChoices(bundle.definitions.get('ErrorKind') ?? {})?.values;
  return bundle.errors.flatMap((row, index) => {
    const pointer = `/errors/${index}`;
    const earlier = bundle.errors.slice(0, index);
    const isReserved = bundle.reserved.some(({ identifier }) => identifier === String(row.code));
    return [
      ...(earlier.some(({ code }) => code === row.code)
        ? [problem(`${pointer}/code`, 'repeatedCode', `code ${row.code} is registered before`)]
        : []),
      ...(earlier.some(({ kind }) => kind === row.kind)
        ? [problem(`${pointer}/kind`, 'repeatedKind', `kind ${row.kind} is registered before`)]
        : []),
      ...(isReserved
        ? [problem(`${pointer}/code`, 'reservedCode', `code ${row.code} is reserved as well`)]
        : []),
      ...[row.kind, ...row.overrideKinds]
        .filter((kind) => known !== undefined && !known.includes(kind))
        .map((kind) => warning(pointer, 'unlistedKind', `ErrorKind does not list ${kind}`)),
    ];
  });
}

function entryProblems(bundle: Bundle): BundleProblem[] {
  const sections = {
    methods: bundle.methods,
    notifications: bundle.notifications,
    requests: bundle.requests,
  };
  return Object.entries(sections).flatMap(([section, entries]) =>
    [...entries.values()].flatMap((entry) => [
      ...shapeProblems(bundle, entry, pointerTo(`/${section}`, entry.method)),
      ...(entry.stability === 'experimental' && entry.descriptor === undefined
        ? [
            warning(
              pointerTo(`/${section}`, entry.method),
              'missingDescriptor',
              'experimental without x-msp-descriptor',
            ),
          ]
        : []),
    ]),
  );
}

/** JSON-RPC lets params be an array and a result be anything; MSP has objects only. */
function shapeProblems(bundle: Bundle, entry: MethodEntry, pointer: string): BundleProblem[] {
  return (['params', 'result'] as const).flatMap((part) => {
    const schema = entry[part];
    if (schema === undefined) return [];
    const { schema: resolved } = resolveReference(bundle.definitions, { schema });
    if (resolved.type === 'object') return [];
    const rule = part === 'params' ? 'paramsNotAnObject' : 'resultNotAnObject';
    return [
      problem(
        `${pointer}/${part}`,
        rule,
        `expected a schema of type "object", found ${JSON.stringify(resolved.type)}`,
      ),
    ];
  });
}

function schemaProblems(schema: JsonSchema, pointer: string): BundleProblem[] {
  const { required = [], properties, enum: values = [] } = schema;
  const isExperimental = schema['x-msp-stability'] === 'experimental';
  return [
    ...required
      .filter((name) => properties !== undefined && !Object.hasOwn(properties, name))
      .map((name) =>
        problem(
          `${pointer}/required`,
          'unlistedRequiredMember',
          `${name} is required but not among the properties`,
        ),
      ),
    ...values
      .filter((value, index) => values.indexOf(value) !== index)
      .map((value) =>
        problem(`${pointer}/enum`, 'repeatedEnumValue', `${JSON.stringify(value)} is listed twice`),
      ),
    ...(isExperimental && schema['x-msp-descriptor'] === undefined
      ? [warning(pointer, 'missingDescriptor', 'experimental without x-msp-descriptor')]
      : []),
  ];
}

function unusedDefinitions(bundle: Bundle): BundleProblem[] {
  const used = definitionsUsedFrom(bundle, [
    ...[bundle.methods, bundle.notifications, bundle.requests].flatMap((entries) =>
      [...entries.values()].flatMap(({ params, result }) => [params, result]),
    ),
    ...ENVELOPES.map((name) => ({ $ref: `#/$defs/${name}` })),
  ]);
  return [...bundle.definitions.keys()]
    .filter((name) => !used.has(name))
    .map((name) =>
      warning(pointerTo('/$defs', name), 'unusedDefinition', 'no method, notification or request leads here'),
    );
}

function problem(pointer: string, rule: BundleRule, message: string): BundleProblem {
  return { pointer, rule, severity: 'error', message };
}

function warning(pointer: string, rule: BundleRule, message: string): BundleProblem {
  return { pointer, rule, severity: 'warning', message };
}
