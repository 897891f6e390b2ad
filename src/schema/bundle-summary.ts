import type { Bundle, MethodEntry } from './bundle.js';
import { enumChoices } from './enum-choices.js';

/** What a bundle holds, in numbers and names. */
export interface BundleSummary {
  readonly path: string;
  readonly fingerprint: string;
  readonly methods: StabilityCount;
  readonly notifications: StabilityCount;
  readonly requests: StabilityCount;
  readonly errors: StabilityCount;
  readonly definitions: StabilityCount;
  /** Enums by how they treat a value that is not listed. Unmarked ones count as closed. */
  readonly enums: { readonly open: number; readonly closed: number };
  /** Methods whose params carry `commandId`, in the bundle's order. */
  readonly commands: readonly string[];
  /** Every experimental method, member and variant, by descriptor. */
  readonly experimentalDescriptors: readonly string[];
  readonly grantableCapabilities: readonly string[];
  readonly reserved: readonly string[];
}

export interface StabilityCount {
  readonly stable: number;
  readonly experimental: number;
}

export function summarizeBundle(bundle: Bundle): BundleSummary {
  const enums = [...bundle.definitions.values()].map(enumChoices).filter((choices) => choices !== undefined);
  const open = enums.filter((choices) => choices.isOpen).length;
  return {
    path: bundle.path,
    fingerprint: bundle.fingerprint,
    methods: countStability(entriesOf(bundle.methods)),
    notifications: countStability(entriesOf(bundle.notifications)),
    requests: countStability(entriesOf(bundle.requests)),
    errors: countStability(bundle.errors),
    definitions: countStability(
      [...bundle.definitions.values()].map((schema) => ({
        stability: schema['x-msp-stability'] ?? 'stable',
      })),
    ),
    enums: { open, closed: enums.length - open },
    commands: [...bundle.methods.keys()].filter((method) => bundle.isCommand(method)),
    experimentalDescriptors: experimentalDescriptors(bundle),
    grantableCapabilities: bundle.grantableCapabilities,
    reserved: bundle.reserved.map((entry) => entry.identifier),
  };
}

function entriesOf(entries: ReadonlyMap<string, MethodEntry>): readonly MethodEntry[] {
  return [...entries.values()];
}

function countStability(rows: readonly { readonly stability: string }[]): StabilityCount {
  const experimental = rows.filter((row) => row.stability === 'experimental').length;
  return { stable: rows.length - experimental, experimental };
}

function experimentalDescriptors(bundle: Bundle): string[] {
  const marked = [...bundle.schemas()].filter(([schema]) => schema['x-msp-stability'] === 'experimental');
  const entries = [bundle.methods, bundle.notifications, bundle.requests].flatMap(entriesOf);
  const rows = [...entries, ...bundle.errors].filter((row) => row.stability === 'experimental');
  const names = [
    ...rows.map((row) => row.descriptor ?? ('method' in row ? row.method : row.kind)),
    ...marked.map(([schema, pointer]) => schema['x-msp-descriptor'] ?? pointer),
  ];
  return [...new Set(names)].sort();
}
