import { v7 as mintUuid } from 'uuid';
import { resolveNode } from '../../replay/schema-node.js';
import type { Bundle } from '../../schema/bundle.js';
import type { JsonSchema } from '../../schema/json-schema.js';
import type { Json } from './server-state.js';

/** Params of a method as its schema wants them: the required members, or all stable ones. */
export function sampleParams(bundle: Bundle, method: string, extent: 'required' | 'all'): Json {
  const schema = bundle.paramsRoot(method)?.schema ?? {};
  const params = sample(bundle, schema, '', extent) as Json;
  // Documented exclusions between members.
  if (method === 'turn/start')
    return {
      ...omit(params, ['workspaceRoots', 'userShell', 'ifBusy']),
      input: [{ type: 'text', text: 'hello' }],
    };
  if (method === 'turn/steer')
    return { ...omit(params, ['userShell']), input: [{ type: 'text', text: 'hello' }] };
  return params;
}

function omit(params: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
}

function sample(bundle: Bundle, given: JsonSchema, name: string, extent: 'required' | 'all'): unknown {
  const { schema } = resolveNode(bundle, given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [alternative] = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  if (alternative !== undefined && schema.properties === undefined)
    return sample(bundle, alternative, name, extent);
  const [type] = [schema.type ?? 'object'].flat();
  if (type === 'string') return text(schema, name);
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  if (type === 'array') return schema.items === undefined ? [] : [sample(bundle, schema.items, name, extent)];
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([member, inner]) => isWanted(schema, member, inner, extent))
      .map(([member, inner]) => [member, sample(bundle, inner, member, extent)]),
  );
}

function isWanted(
  schema: JsonSchema,
  member: string,
  inner: JsonSchema,
  extent: 'required' | 'all',
): boolean {
  if (schema.required?.includes(member)) return true;
  return extent === 'all' && inner['x-msp-stability'] !== 'experimental' && member !== 'config';
}

function text({ pattern }: JsonSchema, name: string): string {
  if (name === 'commandId' || name.endsWith('Id')) return mintUuid();
  if (name === 'workspaceRoot') return '/workspace';
  if (name === 'chunkBase64') return 'AAAA';
  return pattern === undefined ? `a ${name}` : 'sha256'.padEnd(4, '0');
}
