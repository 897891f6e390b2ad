import type { DefineCommand } from './context.js';

/** A command of the program; its module loads when it is invoked, so that others cost nothing at start-up. */
export interface CommandEntry {
  readonly summary: string;
  readonly takesServerCommand: boolean;
  readonly load: () => Promise<DefineCommand>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  report: {
    summary: 're-render a JSON report; merge the shards of one run',
    takesServerCommand: false,
    load: async () => (await import('./report.js')).defineReport,
  },
  completion: {
    summary: 'print a completion script for bash, zsh or fish',
    takesServerCommand: false,
    load: async () => (await import('./completion.js')).defineCompletion,
  },
};
