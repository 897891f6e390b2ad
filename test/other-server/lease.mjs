import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';

/**
 * A writer lease as a file that names its holder by process id and start time; a holder that died holds nothing.
 * @param {string} path @returns {boolean} whether this process holds it now
 */
export function acquireLease(path) {
  if (isHeldElsewhere(path)) return false;
  remove(path);
  try {
    writeFileSync(path, `${process.pid} ${startTime(process.pid)}`, { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** @param {string} path @returns {boolean} */
export function isHeldElsewhere(path) {
  const [pid, born] = read(path).split(' ');
  if (pid === undefined || pid === '' || Number(pid) === process.pid) return false;
  return startTime(Number(pid)) === born;
}

/** @param {string} path */
export function releaseLease(path) {
  remove(path);
}

/** @param {string} path @returns {string} */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @param {string} path */
function remove(path) {
  try {
    unlinkSync(path);
  } catch {
    // Nobody held it.
  }
}

/**
 * Start time in clock ticks where /proc has it, which tells a reused process id; `gone` for a dead or unreaped process.
 * @param {number} pid @returns {string}
 */
function startTime(pid) {
  const stat = read(`/proc/${pid}/stat`);
  if (stat !== '') {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'gone' : (fields[19] ?? 'alive');
  }
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch {
    return 'gone';
  }
}
