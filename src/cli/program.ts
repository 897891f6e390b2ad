import { Command, CommanderError } from 'commander';
import { forTerminal } from '../report/escape.js';
import { nearest } from '../report/nearest.js';
import { colorLevel } from './color.js';
import { COMMANDS } from './commands.js';
import type { CliContext } from './context.js';
import { failureOf, UsageError } from './errors.js';
import { ExitCode } from './exit-codes.js';
import { examples } from './help.js';

/** Parses, loads and runs the command named first; gives the exit code. */
export async function runProgram(argv: readonly string[], version: string): Promise<number> {
  const restore = guardProcess();
  let exitCode: number = ExitCode.conformant;
  try {
    const { words, serverCommand, noColorOption } = split(argv);
    const context: CliContext = {
      stdout: (text) => void process.stdout.write(text),
      stderr: (text) => void process.stderr.write(text),
      env: process.env,
      colorLevel: colorLevel({ noColorOption, env: process.env, isTerminal: process.stdout.isTTY === true }),
      width: Math.min(140, Math.max(60, process.stdout.columns ?? 100)),
      serverCommand,
      finish: (code) => {
        exitCode = code;
      },
    };
    const name = words[0] ?? '';
    const program = await buildProgram(name, version, context);
    assertServerCommandFits(name, serverCommand);
    if (name === '') {
      program.outputHelp({ error: true });
      return ExitCode.usage;
    }
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error);
  } finally {
    restore();
  }
}

/** The words before `--` belong to us, those after it to the server. `--no-color` may stand anywhere before it. */
function split(argv: readonly string[]) {
  const dashes = argv.indexOf('--');
  const own = dashes < 0 ? argv : argv.slice(0, dashes);
  const words = own.filter((word) => word !== '--no-color');
  // `help run` is `run --help`: only the command that is asked about gets loaded.
  const named = words[0] === 'help' && words[1] !== undefined ? [words[1], '--help'] : words;
  return {
    words: named[0] === 'help' ? ['--help'] : named,
    serverCommand: dashes < 0 ? undefined : argv.slice(dashes + 1),
    noColorOption: own.length !== words.length,
  };
}

async function buildProgram(name: string, version: string, context: CliContext): Promise<Command> {
  const program = new Command('msp-conformance')
    .description(
      'Tells whether a Muse Session Protocol server keeps the protocol’s promises, and where it does not.',
    )
    .version(version, '-V, --version')
    .option('--no-color', 'never colour the output (NO_COLOR and FORCE_COLOR are respected too)')
    .helpCommand('help [command]', 'explain a command')
    .showSuggestionAfterError(true)
    .showHelpAfterError('(--help tells more)')
    .configureOutput({ writeOut: context.stdout, writeErr: context.stderr })
    .exitOverride()
    .addHelpText('after', PROGRAM_EXAMPLES);
  for (const [each, { summary, load }] of Object.entries(COMMANDS)) {
    const command = each === name ? (await load())(context) : new Command(each);
    program.addCommand(adopt(command.summary(summary), program));
  }
  if (name !== '' && !name.startsWith('-') && !Object.hasOwn(COMMANDS, name)) {
    const close = nearest(name, Object.keys(COMMANDS));
    const hint = close === undefined ? 'See msp-conformance --help.' : `Did you mean ${close}?`;
    throw new UsageError(`There is no command ${JSON.stringify(name)}. ${hint}`);
  }
  return program;
}

const PROGRAM_EXAMPLES = examples(
  ['run', 'try the bundled scenarios on the bundled reference server'],
  ['run -- node my-server.js', 'test your own server, spawned with its stdin and stdout as the connection'],
  ['run --help', 'all options of a command'],
);

/** Commands made elsewhere do not inherit by themselves. */
function adopt(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) adopt(child, command);
  return command;
}

function assertServerCommandFits(name: string, serverCommand: readonly string[] | undefined): void {
  if (serverCommand === undefined) return;
  if (COMMANDS[name]?.takesServerCommand !== true) {
    throw new UsageError(
      `Words after -- are a server's command, and ${name || 'msp-conformance'} starts no server.`,
    );
  }
  if (serverCommand.length === 0) {
    throw new UsageError(
      `Nothing follows --. Write the server's command there: ${name} -- node my-server.js`,
    );
  }
}

/** Prints what a person needs and gives the exit code; a stack only for those who ask for it. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) {
    // commander has printed it already; its own code for misuse is 1, which here would mean a violation.
    return error.exitCode === 0 ? ExitCode.conformant : ExitCode.usage;
  }
  const { message, exitCode, isInternal } = failureOf(error);
  const prefix = isInternal ? 'internal error: ' : 'error: ';
  const lines = message.split('\n').map(forTerminal);
  process.stderr.write(`${prefix}${lines.join('\n')}\n`);
  if (process.env['MSP_CONFORMANCE_DEBUG'] === '1' && error instanceof Error)
    process.stderr.write(`${error.stack}\n`);
  else if (isInternal) process.stderr.write('Set MSP_CONFORMANCE_DEBUG=1 to see where it comes from.\n');
  return exitCode;
}

/**
 * A reader that went away (`| head`) is no error. An exception that nobody caught ends with 3: Node's own 1 would
 * read as a violation of the server.
 */
function guardProcess(): () => void {
  for (const stream of [process.stdout, process.stderr]) {
    // It stays: the last writes may fail after the command has ended.
    if (!stream.listeners('error').includes(onStreamError)) stream.on('error', onStreamError);
  }
  process.on('uncaughtException', onUncaught);
  return () => void process.off('uncaughtException', onUncaught);
}

function onStreamError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  const message = `the output could not be written: ${error.message}`;
  onUncaught(Object.assign(new Error(message, { cause: error }), { exitCode: ExitCode.harness }));
}

function onUncaught(error: unknown): void {
  process.exit(explain(error));
}
