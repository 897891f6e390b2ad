import type { ExactJson, ExactObject } from '../wire/exact-json.js';
import type { MatchContext, Matcher, Path } from './match.js';
import { idKind } from './members.js';
import { settingOf } from './settings.js';

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
  ['UserInputQuestion', () => ''],
  ['UserInputOption', () => ''],
]);

function pairMenu(
  recorded: readonly ExactJson[],
  live: readonly ExactJson[],
  key: (entry: ExactObject) => string,
): ElementPair[] {
  const free = new Set(live.keys());
  return recorded.flatMap((entry, recordedIndex) => {
    const liveIndex = [...free].find(
      (index) => key(live[index] as ExactObject) === key(entry as ExactObject),
    );
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
  return recorded.flatMap((entry, recordedIndex) => {
    const wanted = context.live(String((entry as ExactObject)['sessionId']));
    const found = live.findIndex((candidate) => (candidate as ExactObject)['sessionId'] === wanted);
    if (found < 0 && context.isEphemeral) return [];
    return [{ recordedIndex, liveIndex: found < 0 ? undefined : found }];
  });
}

/**
 * A page of view events: every owed recorded event must be there, those of one method in the recorded order. A server
 * that cuts its pages elsewhere (`isCut`: more follow) may have shown the event before, or show it later.
 */
export function matchEventList(
  matcher: Matcher,
  recorded: readonly ExactJson[],
  live: readonly ExactJson[],
  path: Path,
  isCut: boolean,
): void {
  const { context } = matcher;
  const shownBefore = new Set(context.paged);
  for (const event of live) context.paged.add(String(paramsOf(event as ExactObject)['viewCursor']));
  const after = new Map<string, number>();
  for (const [index, entry] of recorded.entries()) {
    const event = entry as ExactObject;
    const method = String(event['method']);
    if (!context.owes(method, paramsOf(event))) continue;
    const isNext = (candidate: number) => candidate > (after.get(method) ?? -1);
    const cursor = context.bindings.liveOf(String(paramsOf(event)['viewCursor']));
    const mayBeElsewhere = isCut || (cursor !== undefined && shownBefore.has(cursor));
    const found = findInPage(event, live, isNext, mayBeElsewhere, context);
    if (found === undefined) {
      if (!mayBeElsewhere) matcher.add('missing', [...path, index], entry, undefined);
      continue;
    }
    after.set(method, found);
    const root = context.bundle.notificationRoot(method);
    matcher.visitRoot(paramsOf(event), paramsOf(live[found] as ExactObject), root, [
      ...path,
      found,
      'params',
    ]);
  }
}

/** The event itself, else one that tells of the same thing and says something else of it. */
function findInPage(
  event: ExactObject,
  live: readonly ExactJson[],
  isNext: (index: number) => boolean,
  mayBeElsewhere: boolean,
  context: EventContext,
): number | undefined {
  const candidates = [...live.keys()].filter(isNext);
  const found = candidates.find((index) => isSameEvent(event, live[index] as ExactObject, context));
  if (found !== undefined || mayBeElsewhere) return found;
  return candidates.find((index) => isLookalike(event, live[index] as ExactObject, context));
}

type EventContext = Pick<MatchContext, 'bindings' | 'live' | 'sent'>;

/** True when a live event can stand for a recorded one: it tells of the same thing, and, of a setting, the same value. */
export function isSameEvent(recorded: ExactObject, live: ExactObject, context: EventContext): boolean {
  return isLookalike(recorded, live, context) && isSameSetting(recorded, live, context);
}

/** Same method and kind, and no bound id that disagrees. */
export function isLookalike(recorded: ExactObject, live: ExactObject, context: EventContext): boolean {
  if (recorded['method'] !== live['method']) return false;
  return agree(recorded['params'], live['params'], context);
}

/** A server may tell of a setting more often than the recorded one, so the value says which of the events is meant. */
function isSameSetting(recorded: ExactObject, live: ExactObject, context: EventContext): boolean {
  const setting = settingOf(String(recorded['method']));
  if (setting === undefined) return true;
  const wanted = setting.read(paramsOf(recorded));
  const found = setting.read(paramsOf(live));
  if (typeof wanted !== 'string') return wanted === found;
  return !context.sent.has(wanted) || context.live(wanted, setting.menu) === found;
}

function agree(recorded: ExactJson | undefined, live: ExactJson | undefined, context: EventContext): boolean {
  const a = (recorded ?? {}) as ExactObject;
  const b = (live ?? {}) as ExactObject;
  for (const member of IDENTITY_MEMBERS) {
    const left = a[member];
    const right = b[member];
    if (typeof left !== 'string' || typeof right !== 'string') continue;
    const kind = idKind(member);
    const bound = context.bindings.pairedWith(left, kind);
    if (bound !== undefined ? bound !== right : context.bindings.isTaken(right, kind)) return false;
  }
  const recordedItem = a['item'];
  const liveItem = b['item'];
  if (recordedItem === undefined || liveItem === undefined) return true;
  if ((recordedItem as ExactObject)['kind'] !== (liveItem as ExactObject)['kind']) return false;
  return agree(recordedItem, liveItem, context);
}

function paramsOf(event: ExactObject): ExactObject {
  return (event['params'] ?? {}) as ExactObject;
}

/** What names the thing that an event speaks of. */
const IDENTITY_MEMBERS = [
  'sessionId',
  'turnId',
  'commandId',
  'itemId',
  'approvalId',
  'userInputId',
  'viewCursor',
];
