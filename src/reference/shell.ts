import { appendText, completeItem, openItem } from './items.js';
import { type JsonObject, present } from './json.js';
import type { Session } from './session.js';

/** What a command line did. */
export interface ShellOutcome {
  readonly output: string;
  readonly exitCode: number;
  /** How long it would have run. */
  readonly runsMs: number;
}

/**
 * The shell of this server runs nothing. It knows `echo WORDS`, `exit CODE`, `sleep SECONDS`, `true` and `false`;
 * all else is not found, as in a shell with an empty PATH. A test server has no business executing what it is sent.
 */
export function interpretShell(commandText: string): ShellOutcome {
  const [name = '', ...words] = commandText.trim().split(/\s+/);
  switch (name) {
    case 'echo':
      return { output: `${words.join(' ')}\n`, exitCode: 0, runsMs: 0 };
    case 'exit':
      return { output: '', exitCode: Number(words[0] ?? 0) & 255, runsMs: 0 };
    case 'sleep':
      return { output: '', exitCode: 0, runsMs: Math.min(Number(words[0]) * 1000 || 0, LONGEST_SLEEP_MS) };
    case 'true':
    case 'false':
      return { output: '', exitCode: name === 'true' ? 0 : 1, runsMs: 0 };
    default:
      return { output: `${name}: command not found\n`, exitCode: 127, runsMs: 0 };
  }
}

const LONGEST_SLEEP_MS = 60_000;

/** Runs a command that the user typed. Its item belongs to no turn and outlives the one that is running. */
export function runUserShell(session: Session, commandId: string, commandText: string): void {
  const { output, exitCode, runsMs } = interpretShell(commandText);
  const itemId = openItem(session, { kind: 'userShell', turnId: null, commandText, commandId });
  const finish = () => {
    appendText(session, itemId, 'output', output);
    completeItem(session, itemId, exitCode === 0 ? 'completed' : 'failed', {
      exitCode,
      durationMs: runsMs,
      ...shownOutput(session, itemId),
    });
  };
  if (runsMs === 0) finish();
  else session.host.later(runsMs, finish);
}

function shownOutput(session: Session, itemId: string): JsonObject {
  return present({ visibleOutput: session.state.items.get(itemId)?.['visibleOutput'] ?? '' });
}
