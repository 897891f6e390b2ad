import type { DefineCommand } from './context.js';

/** A command of the program; its module loads when it is invoked, so that others cost nothing at start-up. */
export interface CommandEntry {
  readonly summary: string;
  readonly takesServerCommand: boolean;
  readonly load: () => Promise<DefineCommand>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  run: {
    summary: 'replay scenarios against a server and report every broken promise',
    takesServerCommand: true,
    load: async () => {
      const { defineRunWith } = await import('./run-options.js');
      return (context) =>
        defineRunWith(context, async (options) => (await import('./run.js')).runCommand(options, context));
    },
  },
  validate: {
    summary: 'check transcripts offline, without a server',
    takesServerCommand: false,
    load: async () => (await import('./validate.js')).defineValidate,
  },
  record: {
    summary: 'write a scenario from a live conversation',
    takesServerCommand: true,
    load: async () => (await import('./record.js')).defineRecord,
  },
  mock: {
    summary: 'play the server’s side of a scenario to a client',
    takesServerCommand: false,
    load: async () => (await import('./mock.js')).defineMock,
  },
  serve: {
    summary: 'the reference server',
    takesServerCommand: false,
    load: async () => (await import('./serve-options.js')).defineServe,
  },
  list: {
    summary: 'scenarios and checks, with the requirement each rests on',
    takesServerCommand: false,
    load: async () => (await import('./list.js')).defineList,
  },
  explain: {
    summary: 'what a check demands, what servers get wrong, how to see it',
    takesServerCommand: false,
    load: async () => (await import('./explain.js')).defineExplain,
  },
  schema: {
    summary: 'what a bundle holds; what changed between two; what is wrong with one',
    takesServerCommand: false,
    load: async () => (await import('./schema.js')).defineSchema,
  },
  report: {
    summary: 're-render a JSON report; merge the shards of one run',
    takesServerCommand: false,
    load: async () => (await import('./report.js')).defineReport,
  },
  selftest: {
    summary: 'prove that the suite sees every fault of the reference server',
    takesServerCommand: false,
    load: async () => (await import('./selftest-options.js')).defineSelftest,
  },
  init: {
    summary: 'write a commented config file and a CI workflow',
    takesServerCommand: false,
    load: async () => (await import('./init.js')).defineInit,
  },
  completion: {
    summary: 'print a completion script for bash, zsh or fish',
    takesServerCommand: false,
    load: async () => (await import('./completion.js')).defineCompletion,
  },
};
