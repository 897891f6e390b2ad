import type { Command } from 'commander';
import type { ColorLevel } from './color.js';

/** What a command may use of the outside. */
export interface CliContext {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Level for what is printed to standard output. */
  readonly colorLevel: ColorLevel;
  /** Columns of the terminal; 100 where there is none. */
  readonly width: number;
  /** The words after `--`, undefined without `--`: the server's command. */
  readonly serverCommand: readonly string[] | undefined;
  /** Tells how the process will end; called once by a command's action. */
  readonly finish: (exitCode: number) => void;
}

/** Makes a command with its options, help, examples and action. */
export type DefineCommand = (context: CliContext) => Command;
