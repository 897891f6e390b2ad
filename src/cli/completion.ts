import { Argument, Command } from 'commander';
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
      const options = new Map<string, readonly string[]>();
      for (const [name, { load }] of Object.entries(COMMANDS)) {
        const command = (await load())(context);
        options.set(name, [
          ...command.commands.map((child) => child.name()),
          ...longOptions(command),
          '--help',
        ]);
      }
      context.stdout(SCRIPTS[shell](options));
      context.finish(0);
    });
}

const EXAMPLES = examples(
  ['completion bash > ~/.local/share/bash-completion/completions/msp-conformance', 'for bash'],
  ['completion zsh > ~/.zfunc/_msp-conformance', 'for zsh, where ~/.zfunc is in fpath'],
  ['completion fish > ~/.config/fish/completions/msp-conformance.fish', 'for fish'],
);

type Words = ReadonlyMap<string, readonly string[]>;

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

function longOptions(command: Command): string[] {
  return command.options.flatMap(({ long }) => (long ? [long] : []));
}

function bashScript(words: Words): string {
  const cases = [...words].map(([name, own]) => `    ${name}) words="${own.join(' ')}" ;;`);
  return `_msp_conformance() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="${[...words.keys()].join(' ')} --help --version --no-color" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${[...words.keys()].join(' ')} --help --version"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _msp_conformance msp-conformance
`;
}

function zshScript(words: Words): string {
  const cases = [...words].map(([name, own]) => `    ${name}) compadd -- ${own.join(' ')} ;;`);
  const commands = [...words.keys()].map((name) => `    '${name}:${quoted(COMMANDS[name]?.summary ?? '')}'`);
  return `#compdef msp-conformance
_msp_conformance() {
  local -a commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2]" in
${cases.join('\n')}
  esac
  _files
}
_msp_conformance "$@"
`;
}

function fishScript(words: Words): string {
  const commands = [...words.keys()].map(
    (name) =>
      `complete -c msp-conformance -n __fish_use_subcommand -f -a ${name} -d '${quoted(COMMANDS[name]?.summary ?? '')}'`,
  );
  const options = [...words].flatMap(([name, own]) =>
    own.map((word) => {
      const seen = `complete -c msp-conformance -n '__fish_seen_subcommand_from ${name}'`;
      return word.startsWith('--') ? `${seen} -l ${word.slice(2)}` : `${seen} -f -a ${word}`;
    }),
  );
  return `${[...commands, ...options].join('\n')}\n`;
}

function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll(':', ' -');
}
