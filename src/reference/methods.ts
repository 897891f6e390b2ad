import type { Method } from './method.js';
import { APPROVAL_METHODS } from './planes/approvals.js';
import { BRANCH_METHODS } from './planes/branches.js';
import { CATALOGUE_METHODS } from './planes/catalogue.js';
import { COMPACT_METHODS } from './planes/compact.js';
import { COMPUTER_USE_METHODS } from './planes/computer-use.js';
import { EXTENSION_METHODS } from './planes/extensions.js';
import { FEEDBACK_METHODS } from './planes/feedback.js';
import { GOAL_METHODS } from './planes/goals.js';
import { LIFECYCLE_METHODS } from './planes/lifecycle.js';
import { MEDIA_METHODS } from './planes/media.js';
import { OUTPUT_METHODS } from './planes/outputs.js';
import { SETTINGS_METHODS } from './planes/settings.js';
import { SHELL_METHODS } from './planes/shell.js';
import { SKILL_METHODS } from './planes/skills.js';
import { SUBAGENT_METHODS } from './planes/subagents.js';
import { TASK_METHODS } from './planes/tasks.js';
import { TURN_METHODS } from './planes/turns.js';
import { USAGE_METHODS } from './planes/usage.js';
import { USER_INPUT_METHODS } from './planes/user-input.js';
import { VIEW_METHODS } from './planes/view.js';
import { WORKFLOW_METHODS } from './planes/workflows.js';

export { engage } from './planes/user-input.js';

/** Everything that this server answers, beside `initialize`. */
export const METHODS: ReadonlyMap<string, Method> = new Map(
  [
    APPROVAL_METHODS,
    BRANCH_METHODS,
    CATALOGUE_METHODS,
    COMPACT_METHODS,
    COMPUTER_USE_METHODS,
    EXTENSION_METHODS,
    FEEDBACK_METHODS,
    GOAL_METHODS,
    LIFECYCLE_METHODS,
    MEDIA_METHODS,
    OUTPUT_METHODS,
    SETTINGS_METHODS,
    SHELL_METHODS,
    SKILL_METHODS,
    SUBAGENT_METHODS,
    TASK_METHODS,
    TURN_METHODS,
    USAGE_METHODS,
    USER_INPUT_METHODS,
    VIEW_METHODS,
    WORKFLOW_METHODS,
  ]
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
