import { ProtocolError } from './errors.js';
import type { JsonObject } from './json.js';
import type { SessionState } from './state.js';

interface Skill extends JsonObject {
  readonly selector: string;
  readonly displayName: string;
  readonly description: string;
  readonly source: string;
}

/** The skills that ship with the server. */
const SKILLS: readonly (Skill & { readonly template: string })[] = [
  {
    selector: 'greet',
    displayName: 'Greet',
    description: 'Says hello to somebody.',
    argumentHint: 'name',
    source: 'bundled',
    template: 'Say hello to',
  },
  {
    selector: 'summarize',
    displayName: 'Summarize',
    description: 'Sums up what was said.',
    source: 'bundled',
    template: 'Summarize',
  },
];

/** The rows that a user may invoke, as they stand in this session. */
export function invocableSkills(state: SessionState): readonly JsonObject[] {
  return SKILLS.filter(({ selector }) => activationOf(state, 'bundled', selector) !== 'off').map(
    ({ template: _, ...row }) => row,
  );
}

/** The prompt that a skill stands for. Throws `skillNotFound` for one that cannot be invoked here. */
export function expandSkill(state: SessionState, selector: string, given: string | undefined): string {
  const skill = SKILLS.find((known) => known.selector === selector);
  if (!skill || activationOf(state, 'bundled', selector) === 'off') throw skillNotFound(selector);
  return given === undefined ? skill.template : `${skill.template} ${given}`;
}

export function hasSkill(selector: string): boolean {
  return SKILLS.some((known) => known.selector === selector);
}

export function activationOf(state: SessionState, scope: string, selector: string): string {
  return state.activations.get(`${scope} ${selector}`) ?? 'on';
}

export function skillNotFound(selector: string): ProtocolError {
  return new ProtocolError('skillNotFound', `there is no skill ${JSON.stringify(selector)}`, { selector });
}
