import { invalidParams } from './errors.js';
import type { JsonObject } from './json.js';

/** What a connection agreed on, for as long as it lives. */
export interface Agreement {
  readonly clientInfo: JsonObject & { readonly name: string };
  readonly granted: ReadonlySet<string>;
  readonly isExperimental: boolean;
  readonly optOuts: ReadonlySet<string>;
  /** The client can show a prompt. */
  readonly showsDialogs: boolean;
}

/** Notifications that no client can decline. */
export const PROTECTED_NOTIFICATIONS: ReadonlySet<string> = new Set([
  'approval/resolved',
  'userInput/settled',
  'view/gap',
]);

/**
 * Reads `initialize` params by hand: they are looked at before the schema's validators are loaded, and everything
 * else waits for them. Throws `invalidParams`.
 */
export function agree(params: JsonObject, grantable: readonly string[]): Agreement {
  const clientInfo = objectIn(params, 'clientInfo', 'params');
  if (clientInfo === undefined) throw invalidParams('clientInfo: required, but absent');
  const name = stringIn(clientInfo, 'name', 'clientInfo');
  if (name === undefined || !/^[a-z0-9_]+$/.test(name)) {
    throw invalidParams('clientInfo.name: expected a string of a-z, 0-9 and _');
  }
  if (stringIn(clientInfo, 'version', 'clientInfo') === undefined) {
    throw invalidParams('clientInfo.version: required, but absent');
  }
  stringIn(clientInfo, 'title', 'clientInfo');
  const capabilities = objectIn(params, 'capabilities', 'params') ?? {};
  const requested = stringsIn(capabilities, 'requestedCapabilities');
  return {
    clientInfo: { ...clientInfo, name },
    granted: new Set(grantable.filter((capability) => requested.includes(capability))),
    isExperimental: booleanIn(capabilities, 'experimentalApi') ?? false,
    optOuts: new Set(stringsIn(capabilities, 'optOutNotificationMethods')),
    showsDialogs: booleanIn(capabilities, 'userInputDialogs') ?? true,
  };
}

function objectIn(parent: JsonObject, member: string, where: string): JsonObject | undefined {
  const value = parent[member];
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidParams(`${where}.${member}: expected an object`);
  }
  return value as JsonObject;
}

function stringIn(parent: JsonObject, member: string, where: string): string | undefined {
  const value = parent[member];
  if (value !== undefined && typeof value !== 'string')
    throw invalidParams(`${where}.${member}: expected a string`);
  return value;
}

function booleanIn(parent: JsonObject, member: string): boolean | undefined {
  const value = parent[member];
  if (value !== undefined && typeof value !== 'boolean') {
    throw invalidParams(`capabilities.${member}: expected true or false`);
  }
  return value;
}

function stringsIn(parent: JsonObject, member: string): readonly string[] {
  const value = parent[member] ?? [];
  if (
    parent[member] === null ||
    !Array.isArray(value) ||
    !value.every((entry) => typeof entry === 'string')
  ) {
    throw invalidParams(`capabilities.${member}: expected a list of strings`);
  }
  return value;
}
