import type { Method } from './method.js';
import { CATALOGUE_METHODS } from './planes/catalogue.js';
import { LIFECYCLE_METHODS } from './planes/lifecycle.js';
import { TURN_METHODS } from './planes/turns.js';
import { VIEW_METHODS } from './planes/view.js';

/** Everything that this server answers, beside `initialize`. */
export const METHODS: ReadonlyMap<string, Method> = new Map(
  [LIFECYCLE_METHODS, CATALOGUE_METHODS, TURN_METHODS, VIEW_METHODS]
    .flat()
    .map((method) => [method.name, method]),
);

/** Methods that the protocol has on its experimental surface. None of them is served here. */
export const EXPERIMENTAL_METHODS: ReadonlySet<string> = new Set([
  'account/loginCancel',
  'account/loginStart',
  'account/logout',
  'account/read',
  'log/page',
  'log/streams',
  'log/subscribe',
  'log/unsubscribe',
  'mcpServer/list',
  'mcpServer/oauthLogin',
  'mcpServer/oauthLoginCancel',
  'mcpServer/oauthLogout',
  'permissionProfile/list',
  'projection/list',
  'projection/read',
  'session/setPermissionProfile',
  'settings/read',
  'settings/readSchema',
  'settings/writeMany',
  'settings/writeValue',
  'worktree/list',
]);
