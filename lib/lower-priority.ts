import 'server-only';
import { setPriority } from 'node:os';
import { log } from './http/log';

/**
 * Niceness of the processes that write orders: a tenth of the processor's time beside a process that sells, all of it
 * when that is idle. So writing gives way to a rush as long as the rush really needs the processor, and no longer.
 */
export const WRITER_NICENESS = 10;

/**
 * Lowers a process's priority for the time when the processor is too busy for all.
 * @param niceness 1 to 19; each step takes about a fifth of its share
 */
export function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch (err) {
    // Not every system allows a lower priority. Everything works without it, too.
    log.warn({ err, pid }, 'the priority of a process could not be lowered');
  }
}
