import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { startMark } from './processes.mjs';

/**
 * Every process we start carries this variable, and so do its children: with it a later start finds the processes
 * that outlived us.
 */
const VARIABLE = 'SECKILL_PART';

/**
 * Returns the variable for a part of the product with this data directory. It identifies the folder itself, not its
 * path: a copy of the folder, or the same path in a container, is another product.
 * @param {string} dir data directory
 * @param {string} name of the part
 * @returns {Record<string, string>}
 */
export const partMark = (dir, name) => ({ [VARIABLE]: `${productOf(dir)}:${name}` });

/**
 * Returns the processes with a mark of this data directory, wherever they were started, except this one.
 * @param {string} dir data directory
 * @returns {{ name: string, pid: number, mark: string }[]} `mark`: see `startMark`; none where there is no /proc
 */
export function findMarked(dir) {
  const wanted = `${VARIABLE}=${productOf(dir)}:`;
  return processIds().flatMap((pid) => {
    const found = environmentOf(pid)
      .split('\0')
      .find((entry) => entry.startsWith(wanted));
    return found ? [{ name: found.slice(wanted.length), pid, mark: startMark(pid) }] : [];
  });
}

function productOf(dir) {
  const { dev, ino } = statSync(dir);
  return createHash('sha256')
    .update(`${realpathSync(dir)} ${dev} ${ino}`)
    .digest('hex')
    .slice(0, 16);
}

function processIds() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid !== process.pid);
  } catch {
    return [];
  }
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    // The process belongs to another user, or is gone.
    return '';
  }
}
