import { type MemberRole, memberRole, menuAt } from './members.js';
import type { Script, ServerStep } from './script.js';

/** A server frame that shows a value as an id, a cursor or an entry of a menu. */
interface Showing {
  readonly step: ServerStep;
  /** The menus among whose entries the value is; undefined among them for an id or a cursor. */
  readonly menus: ReadonlySet<string | undefined>;
}

/** The server frames of a script that show a value, in order: as an entry of `menu`, else as an id or a cursor. */
export function framesThatShow(script: Script, value: string, menu: string | undefined): ServerStep[] {
  const showings = indexOf(script).get(value) ?? [];
  return showings.flatMap(({ step, menus }) => (menus.has(menu) ? [step] : []));
}

type Index = ReadonlyMap<string, readonly Showing[]>;

const indices = new WeakMap<Script, Index>();

/** Asked for each value of each client frame, so that a walk through the recording each time would never end. */
function indexOf(script: Script): Index {
  const known = indices.get(script) ?? readIndex(script);
  indices.set(script, known);
  return known;
}

function readIndex(script: Script): Index {
  const index = new Map<string, Showing[]>();
  for (const step of script.steps) {
    if (step.kind !== 'server') continue;
    for (const [value, menus] of shownIn(step.frame.value)) {
      const showings = index.get(value);
      if (showings === undefined) index.set(value, [{ step, menus }]);
      else showings.push({ step, menus });
    }
  }
  return index;
}

function shownIn(frame: unknown): Map<string, Set<string | undefined>> {
  const shown = new Map<string, Set<string | undefined>>();
  const visit = (holder: unknown, member: string): void => {
    if (typeof holder === 'string') {
      const menu = menuAt([member]);
      const isMinted = MINTED.has(memberRole(undefined, member));
      if (menu === undefined && !isMinted) return;
      const menus = shown.get(holder) ?? new Set();
      shown.set(holder, menus);
      if (menu !== undefined) menus.add(menu);
      if (isMinted) menus.add(undefined);
    } else if (typeof holder === 'object' && holder !== null) {
      for (const [name, inner] of Object.entries(holder)) visit(inner, Array.isArray(holder) ? member : name);
    }
  };
  visit(frame, '');
  return shown;
}

const MINTED: ReadonlySet<MemberRole> = new Set(['minted', 'position']);
