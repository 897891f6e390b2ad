import { readFile } from 'node:fs/promises';

/** A process that a reused pid cannot be mistaken for, where the system tells when a process began. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it began, as the system counts; empty where the system does not say. */
  readonly birth: string;
}

export async function currentProcess(): Promise<ProcessIdentity> {
  return { pid: process.pid, birth: (await processStatus(process.pid))?.birth ?? '' };
}

/** Whether that very process still runs. A zombie does not: it holds nothing any more. */
export async function isAlive({ pid, birth }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const status = await processStatus(pid);
  if (status === undefined) return true;
  return !'ZX'.includes(status.state) && (birth === '' || status.birth === birth);
}

/** From `/proc/<pid>/stat`, whose second field may hold blanks and parentheses; undefined where there is none. */
async function processStatus(pid: number): Promise<{ state: string; birth: string } | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, birth] = [fields[0], fields[STARTTIME - 3]];
    return state && birth ? { state, birth } : undefined;
  } catch {
    return undefined;
  }
}

/** The number of the start time among the fields, counted from 1 as in proc(5). */
const STARTTIME = 22;
