import { Argument, Command } from 'commander';
import { DERIVED_PASSES } from '../checks/finding.js';
import { locatedScenarios } from '../transcript/located-scenarios.js';
import { BEHAVIOUR_NAMES } from '../transcript/scenario.js';
import { COMMANDS } from './commands.js';
import type { CliContext } from './context.js';
import { examples } from './help.js';

/** `completion`: a script that completes commands and their options, made from the commands themselves. */
export function defineCompletion(context: CliContext): Command {
  return new Command('completion')
    .description('Prints a completion script for a shell.')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: keyof typeof SCRIPTS) => {
      const commands = new Map<string, Completed>();
      for (const [name, { load }] of Object.entries(COMMANDS)) {
        const command = (await load())(context);
        commands.set(name, await completed(name, command));
      }
      context.stdout(SCRIPTS[shell](commands));
      context.finish(0);
    });
}

const EXAMPLES = examples(
  ['completion bash > ~/.local/share/bash-completion/completions/msp-conformance', 'for bash'],
  ['completion zsh > ~/.zfunc/_msp-conformance', 'for zsh, where ~/.zfunc is in fpath'],
  ['completion fish > ~/.config/fish/completions/msp-conformance.fish', 'for fish'],
);

/** What may follow a command. */
interface Completed {
  /** Subcommands, the words that an argument can be, and options. */
  readonly words: readonly string[];
  /** The words that an option's value can be, by the option's long name. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

type Commands = ReadonlyMap<string, Completed>;

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

async function completed(name: string, command: Command): Promise<Completed> {
  const values = new Map<string, readonly string[]>();
  for (const { long, argChoices } of command.options) {
    const words = argChoices ?? (await valuesOf(long ?? ''));
    if (words.length > 0) values.set(long ?? '', words);
  }
  const argument =
    name === 'explain' ? await knownIds() : name === 'list' ? ['scenarios', 'checks', 'faults'] : [];
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  return {
    words: [...command.commands.map((child) => child.name()), ...argument, ...choices, ...options, '--help'],
    values,
  };
}

async function valuesOf(option: string): Promise<readonly string[]> {
  switch (option) {
    case '--passes':
      return ['all', 'none', ...DERIVED_PASSES];
    case '--reporter':
      return (await import('../report/reporters.js')).REPORTER_NAMES;
    case '--behaviour':
      return BEHAVIOUR_NAMES.map((name) => `${name}=`);
    case '--fault':
      return (await import('../reference/faults/table.js')).FAULTS.map(({ name }) => name);
    case '--only':
    case '--skip':
      return scenarioIds();
    default:
      return [];
  }
}

async function knownIds(): Promise<readonly string[]> {
  const { CATALOGUE } = await import('../checks/catalogue.js');
  return [...CATALOGUE.keys(), ...(await scenarioIds())];
}

async function scenarioIds(): Promise<readonly string[]> {
  // A scenario that cannot be read is the run's to report.
  const scenarios = await locatedScenarios().catch(() => []);
  return scenarios.map(({ id }) => id);
}

function bashScript(commands: Commands): string {
  const values = [...commands].flatMap(([name, { values: own }]) =>
    [...own].map(([option, words]) => `    '${name} ${option}') words="${words.join(' ')}" ;;`),
  );
  const cases = [...commands].map(([name, { words }]) => `      ${name}) words="${words.join(' ')}" ;;`);
  const first = [...commands.keys(), 'help', '--help', '--version', '--no-color'].join(' ');
  return `_msp_conformance() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words
  COMPREPLY=()
  # Words after -- are the server's.
  case " \${COMP_WORDS[*]:0:COMP_CWORD} " in *' -- '*) return ;; esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${first}"
  else
    case "$command $previous" in
${values.join('\n')}
    *) case "$command" in
${cases.join('\n')}
    esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _msp_conformance msp-conformance
`;
}

function zshScript(commands: Commands): string {
  const values = [...commands].flatMap(([name, { values: own }]) =>
    [...own].map(([option, words]) => `    '${name} ${option}') compadd -- ${words.join(' ')}; return ;;`),
  );
  const cases = [...commands].map(([name, { words }]) => `    ${name}) compadd -- ${words.join(' ')} ;;`);
  const described = [...commands.keys()].map(
    (name) => `    '${name}:${quoted(COMMANDS[name]?.summary ?? '')}'`,
  );
  return `#compdef msp-conformance
_msp_conformance() {
  local -a commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2] $words[CURRENT-1]" in
${values.join('\n')}
  esac
  case "$words[2]" in
${cases.join('\n')}
  esac
  _files
}
_msp_conformance "$@"
`;
}

function fishScript(commands: Commands): string {
  const described = [...commands.keys()].map(
    (name) =>
      `complete -c msp-conformance -n __fish_use_subcommand -f -a ${name} -d '${quoted(COMMANDS[name]?.summary ?? '')}'`,
  );
  const options = [...commands].flatMap(([name, { words, values }]) =>
    words.map((word) => {
      const seen = `complete -c msp-conformance -n '__fish_seen_subcommand_from ${name}'`;
      if (!word.startsWith('--')) return `${seen} -f -a ${word}`;
      const own = values.get(word);
      return `${seen} -l ${word.slice(2)}${own === undefined ? '' : ` -x -a '${own.join(' ')}'`}`;
    }),
  );
  return `${[...described, ...options].join('\n')}\n`;
}

function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll(':', ' -');
}
