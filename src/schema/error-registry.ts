import type { Bundle, ErrorRow } from './bundle.js';
import { describeChoices, describeValue } from './describe-value.js';
import { CLEAN, type SchemaIssue, type SchemaOutcome, type SchemaRule } from './outcome.js';

/** The block that the protocol's own error codes come from. */
const MSP_CODES = { first: -32099, last: -32000 };

/**
 * Holds an error's code and `data.kind` to the registry. Paths are into the error object.
 * @param kind undefined when the error carries none
 */
export function checkErrorPair(bundle: Bundle, code: number, kind: string | undefined): SchemaOutcome {
  const row = bundle.errors.find((candidate) => candidate.code === code);
  return row === undefined ? checkUnknownCode(bundle, code, kind) : checkKnownCode(bundle, row, kind);
}

function checkKnownCode(bundle: Bundle, row: ErrorRow, kind: string | undefined): SchemaOutcome {
  const kinds = bundle.errors.filter(({ code }) => code === row.code).flatMap(kindsOf);
  const expected = `kind of code ${row.code}: expected ${describeChoices(kinds)}`;
  if (kind === undefined) {
    return noted(
      '/data/kind',
      'disputed',
      `${expected}, found none; the protocol text demands a kind, the bundle does not`,
    );
  }
  if (kinds.includes(kind)) return row.stability === 'experimental' ? experimentalRow(row) : CLEAN;
  const owners = codesOf(bundle, kind);
  if (owners.length === 0)
    return noted('/data/kind', 'openEnum', `${expected}, found ${describeValue(kind)}; the list may grow`);
  return violated(
    '/data/kind',
    `${expected}, found ${describeValue(kind)}, which belongs to ${owners.join(' and ')}`,
  );
}

function checkUnknownCode(bundle: Bundle, code: number, kind: string | undefined): SchemaOutcome {
  const owners = kind === undefined ? [] : codesOf(bundle, kind);
  if (owners.length > 0) {
    return violated(
      '/code',
      `code of kind ${describeValue(kind)}: expected ${owners.join(' or ')}, found ${code}`,
    );
  }
  const reservation = bundle.reserved.map(({ identifier }) => identifier).find((name) => covers(name, code));
  if (reservation === String(code))
    return violated('/code', `code ${code} is reserved and never given to an error`);
  if (reservation !== undefined)
    return noted('/code', 'disputed', `code ${code} is in the reserved block ${reservation}`);
  const isInBlock = code >= MSP_CODES.first && code <= MSP_CODES.last;
  const remark = isInBlock
    ? `code ${code} is not in the registry, which may grow`
    : `code ${code} is neither in the registry nor in the protocol's block ${MSP_CODES.first}..${MSP_CODES.last}`;
  return noted('/code', isInBlock ? 'openEnum' : 'disputed', remark);
}

function kindsOf(row: ErrorRow): readonly string[] {
  return [row.kind, ...row.overrideKinds];
}

function codesOf(bundle: Bundle, kind: string): readonly number[] {
  return bundle.errors.filter((row) => kindsOf(row).includes(kind)).map((row) => row.code);
}

/** A reservation is a code, a range of codes, or a name that covers no code. */
function covers(identifier: string, code: number): boolean {
  const bounds = /^(-?\d+)(?:\.\.(-?\d+))?$/.exec(identifier);
  if (bounds === null) return false;
  const [first, last] = [Number(bounds[1]), Number(bounds[2] ?? bounds[1])];
  return code >= Math.min(first, last) && code <= Math.max(first, last);
}

function experimentalRow(row: ErrorRow): SchemaOutcome {
  const message = `error ${row.kind}: experimental, needs experimentalApi: true in the handshake`;
  const descriptor = row.descriptor ?? row.kind;
  return { violations: [], notes: [{ path: '/data/kind', rule: 'experimental', message, descriptor }] };
}

function violated(path: string, message: string): SchemaOutcome {
  return { violations: [issue(path, 'errorPair', message)], notes: [] };
}

function noted(path: string, rule: SchemaRule, message: string): SchemaOutcome {
  return { violations: [], notes: [issue(path, rule, message)] };
}

function issue(path: string, rule: SchemaRule, message: string): SchemaIssue {
  return { path, rule, message };
}
