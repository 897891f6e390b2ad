import type { ExactJson, ExactObject } from '../wire/exact-json.js';
import type { MatchContext, Matcher, Path } from './match.js';
import { isPromisedEvent } from './promises.js';

interface ElementPair {
  readonly recordedIndex: number;
  /** Undefined: the live list has no such element. */
  readonly liveIndex: number | undefined;
}

/**
 * How the elements of a list that the server composes pair up, by what they are rather than by where they stand.
 * Undefined: the list is compared index by index. Live elements without a recorded partner are the server's own.
 */
export function pairElements(
  definition: string | undefined,
  recorded: readonly ExactJson[],
  live: readonly ExactJson[],
  context: MatchContext,
): ElementPair[] | undefined {
  const menu = MENUS.get(definition ?? '');
  if (menu !== undefined) return pairMenu(recorded, live, menu);
  if (definition === 'Session') return pairSessions(recorded, live, context);
  return undefined;
}

/** Entries of a menu pair with the first free entry of the same key; one without a partner stays unpaired. */
const MENUS: ReadonlyMap<string, (entry: ExactObject) => string> = new Map([
  ['ApprovalChoice', (choice: ExactObject) => `${choice['decision']}/${choice['scope']}`],
  ['ModelCatalogEntry', (model: ExactObject) => String(model['isActive'] === true)],
  ['SkillCatalogEntry', () => ''],
  ['HookCatalogEntry', () => ''],
  ['PluginCatalogEntry', () => ''],
]);

function pairMenu(
  recorded: readonly ExactJson[],
  live: readonly ExactJson[],
  key: (entry: ExactObject) => string,
): ElementPair[] {
  const free = new Set(live.keys());
  return recorded.flatMap((entry, recordedIndex) => {
    const liveIndex = [...free].find((index) => key(live[index] as ExactObject) === key(entry as ExactObject));
    if (liveIndex === undefined) return [];
    free.delete(liveIndex);
    return [{ recordedIndex, liveIndex }];
  });
}

function pairSessions(
  recorded: readonly ExactJson[],
  live: readonly ExactJson[],
  context: MatchContext,
): ElementPair[] {
  return recorded.map((entry, recordedIndex) => {
    const wanted = context.live(String((entry as ExactObject)['sessionId']));
    const found = live.findIndex((candidate) => (candidate as ExactObject)['sessionId'] === wanted);
    return { recordedIndex, liveIndex: found < 0 ? undefined : found };
  });
}

/** A page of view events: every promised recorded event must be there, in the recorded order within its turn. */
export function matchEventList(
  matcher: Matcher,
  recorded: readonly ExactJson[],
  live: readonly ExactJson[],
  path: Path,
): void {
  const { bundle } = matcher.context;
  const free = new Set(live.keys());
  for (const [index, entry] of recorded.entries()) {
    const event = entry as ExactObject;
    const params = event['params'] as ExactObject;
    if (!isPromisedEvent(String(event['method']), params)) continue;
    const found = [...free].find((candidate) => isSameEvent(event, live[candidate] as ExactObject, matcher.context));
    if (found === undefined) {
      matcher.add('missing', [...path, index], entry, undefined);
      continue;
    }
    free.delete(found);
    const schema = bundle.notificationRoot(String(event['method']))?.schema;
    const livePath = [...path, found, 'params'];
    matcher.visitSchema(params, (live[found] as ExactObject)['params'] as ExactJson, schema, livePath);
  }
}

/** True when a live event can stand for a recorded one: same method and kind, and no bound id that disagrees. */
export function isSameEvent(recorded: ExactObject, live: ExactObject, context: Pick<MatchContext, 'bindings'>): boolean {
  if (recorded['method'] !== live['method']) return false;
  return agree(recorded['params'], live['params'], context);
}

function agree(
  recorded: ExactJson | undefined,
  live: ExactJson | undefined,
  context: Pick<MatchContext, 'bindings'>,
): boolean {
  const a = (recorded ?? {}) as ExactObject;
  const b = (live ?? {}) as ExactObject;
  for (const member of IDENTITY_MEMBERS) {
    const left = a[member];
    const right = b[member];
    if (typeof left !== 'string' || typeof right !== 'string') continue;
    const bound = context.bindings.liveOf(left);
    if (bound !== undefined ? bound !== right : context.bindings.recordedOf(right) !== undefined) return false;
  }
  const recordedItem = a['item'];
  const liveItem = b['item'];
  if (recordedItem === undefined || liveItem === undefined) return true;
  if ((recordedItem as ExactObject)['kind'] !== (liveItem as ExactObject)['kind']) return false;
  return agree(recordedItem, liveItem, context);
}

/** What names the thing that an event speaks of. */
const IDENTITY_MEMBERS = ['sessionId', 'turnId', 'commandId', 'itemId', 'approvalId', 'userInputId', 'viewCursor'];
