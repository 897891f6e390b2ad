import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Frame, Received } from './client.js';

/** The published bundle where it is at hand, else the repository's own statement of it. */
const BUNDLE = [
  new URL('../../../shared/msp/msp.schema.json', import.meta.url),
  new URL('../../schema/msp.schema.json', import.meta.url),
].find((url) => existsSync(url));

export const hasBundle = BUNDLE !== undefined;

/** Judges frames of a server by the bundle alone; a problem is a line that says what is wrong with which frame. */
export function makeJudge(): (received: Received) => string[] {
  if (BUNDLE === undefined) throw new Error('no schema bundle at hand');
  const bundle = JSON.parse(readFileSync(BUNDLE, 'utf8'));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'msp', $defs: withOpenEnums(bundle.$defs) as Frame });
  const problemsOf = (name: string, value: unknown): string[] => {
    const validate = ajv.getSchema(`msp#/$defs/${name}`);
    if (validate === undefined) return [`no definition ${name}`];
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => `${name}${error.instancePath}: ${error.message}`);
  };
  const definition = (entry: { $ref?: string } | undefined) => entry?.$ref?.split('/').at(-1);
  const codes = new Map<string, number>(
    bundle.errors.flatMap(({ code, kind, overrideKinds = [] }: Frame) =>
      [kind, ...overrideKinds].map((one: string) => [`${code} ${one}`, code] as const),
    ),
  );
  const judge = ({ frame, answers }: Received): string[] => {
    if ('error' in frame) {
      const { code, data } = frame['error'];
      const isRegistered = codes.has(`${code} ${data?.kind}`);
      return [
        ...problemsOf('ErrorResponse', frame),
        ...(isRegistered ? [] : [`unregistered ${code} ${data?.kind}`]),
      ];
    }
    if ('result' in frame) {
      const name = definition(bundle.methods[answers ?? '']?.result);
      return name === undefined ? [`nothing asked for ${frame['id']}`] : problemsOf(name, frame['result']);
    }
    if (frame['id'] !== undefined) {
      const name = definition(bundle.requests[frame['method']]?.params);
      return [
        ...problemsOf('Request', frame),
        ...(name ? problemsOf(name, frame['params']) : ['unknown request']),
      ];
    }
    const name = definition(bundle.notifications[frame['method']]?.params);
    return [...problemsOf('Notification', frame), ...(name ? problemsOf(name, frame['params']) : [])];
  };
  return (received) => judge(received).map((problem) => `${problem} in ${JSON.stringify(received.frame)}`);
}

function withOpenEnums(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withOpenEnums);
  if (schema === null || typeof schema !== 'object') return schema;
  const isOpen = (schema as Frame)['x-msp-openness'] === 'open';
  const members = Object.entries(schema).filter(([name]) => !(isOpen && name === 'enum'));
  return Object.fromEntries(members.map(([name, member]) => [name, withOpenEnums(member)]));
}
