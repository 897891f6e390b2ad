import { command, type Decision, query } from '../admission.js';
import type { Call } from '../call.js';
import { Rejection } from '../errors.js';
import type { JsonObject } from '../json.js';
import { findSession } from '../loading.js';
import type { Method } from '../method.js';
import type { Session } from '../session.js';
import { activationOf, hasSkill, invocableSkills, skillNotFound } from '../skill-catalogue.js';

export const SKILL_METHODS: readonly Method[] = [
  query('skill/list', listSkills),
  command('skill/setActivation', setActivation),
];

async function listSkills(call: Call): Promise<JsonObject> {
  return { skills: invocableSkills((await findSession(call.host, call.sessionId)).state) };
}

function setActivation(call: Call, session: Session): Decision {
  const { selector, scope, activation } = call.params as {
    selector: string;
    scope: string;
    activation: string;
  };
  if (!hasSkill(selector)) throw skillNotFound(selector);
  if (scope === 'plugin') throw new Rejection('scope_not_applicable', `${selector} is no skill of a plugin`);
  return {
    ack: { selector, scope, activation, previous: activationOf(session.state, scope, selector) },
    effect: () => {
      const before = JSON.stringify(invocableSkills(session.state));
      session.record('activation', { selector, scope, activation });
      if (JSON.stringify(invocableSkills(session.state)) !== before) session.notify('skill/changed');
    },
  };
}
