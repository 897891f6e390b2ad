import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A shell that outlives a harness killed without notice, for as long as it takes to kill the servers and remove
 * the folders that the harness told it of. It learns of the death by the end of its stdin, which only the harness holds.
 */
const SCRIPT = `
trap '' INT TERM HUP QUIT
while IFS= read -r line; do
  entry=\${line#?}
  case $line in
    +*) set -- "$@" "$entry" ;;
    -*) for kept do shift; [ "$kept" = "$entry" ] || set -- "$@" "$kept"; done ;;
  esac
done
for entry do case $entry in group*) kill -s KILL -- "-\${entry#group}" 2>/dev/null ;; esac; done
for entry do case $entry in folder*) rm -rf -- "\${entry#folder}" ;; esac; done
`;

let guard: ChildProcess | undefined;

export function guardEntry(sign: '+' | '-', kind: 'group' | 'folder', what: string | number): void {
  // A line break would make two lines of it, and one of them a folder that is not ours.
  if (String(what).includes('\n')) return;
  guard ??= startGuard();
  guard?.stdin?.write(`${sign}${kind}${what}\n`);
}

/** Lets the guard go. Resolves when it has ended. */
export async function dismissGuard(): Promise<void> {
  const dismissed = guard;
  guard = undefined;
  if (dismissed === undefined || dismissed.exitCode !== null || dismissed.signalCode !== null) return;
  const ended = new Promise((resolve) => dismissed.once('exit', resolve));
  dismissed.ref();
  dismissed.stdin?.end();
  await ended;
}

/** Absent where there is no POSIX shell: the harness then has only its own clean-up. */
function startGuard(): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'msp-conformance-guard'], {
    // Its own session: what ends the harness must not end the guard with it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    cwd: '/',
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return child;
}
