import { command } from '../admission.js';
import { invalidParams } from '../errors.js';
import type { Method } from '../method.js';
import { runUserShell } from '../shell.js';

export const SHELL_METHODS: readonly Method[] = [
  command(
    'session/userShell',
    (call, session) => {
      const commandText = call.params['commandText'] as string;
      if (commandText.trim() === '') throw invalidParams('commandText: expected a command');
      return { effect: () => runUserShell(session, call.commandId, commandText) };
    },
    { capability: 'userShell' },
  ),
];
