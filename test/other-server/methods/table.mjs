import { approvalMethods } from './approvals.mjs';
import { catalogMethods } from './catalog.mjs';
import { forkMethods } from './forking.mjs';
import { goalMethods } from './goals.mjs';
import { lifecycleMethods, storedSessionMethods } from './lifecycle.mjs';
import { listMethods } from './listing.mjs';
import { promptMethods } from './prompts.mjs';
import { settingMethods } from './settings.mjs';
import { stopMethods } from './stops.mjs';
import { turnMethods } from './turns.mjs';
import { viewMethods } from './viewing.mjs';

/** @typedef {(connection: import('../connection.mjs').Connection, params: any) => import('../admission.mjs').Reply} Method */

/**
 * What this host serves; the rest is not found.
 * @param {{ isEphemeral: boolean, isMinimal: boolean }} profile @returns {Map<string, Method>}
 */
export function methodTable({ isEphemeral, isMinimal }) {
  return new Map(
    Object.entries({
      ...lifecycleMethods,
      ...listMethods,
      ...settingMethods,
      ...catalogMethods,
      ...turnMethods,
      ...stopMethods,
      ...viewMethods,
      ...(isEphemeral ? {} : storedSessionMethods),
      ...(isEphemeral || isMinimal ? {} : forkMethods),
      ...(isMinimal ? {} : { ...goalMethods, ...approvalMethods, ...promptMethods }),
    }),
  );
}
