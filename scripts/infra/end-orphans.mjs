import { readChildren } from './child-record.mjs';
import { findMarked } from './part-mark.mjs';
import { endProcess, isSameProcess } from './processes.mjs';

const STORES = new Set(['postgres', 'redis']);

/**
 * Ends processes that an earlier start on this data directory left running: first those that write to the stores,
 * then the stores.
 * @param {string} dir data directory @param {{ graceMs?: number }} [options] time before they are killed
 * @returns {Promise<string[]>} the names of the parts they belonged to.
 */
export async function endOrphans(dir, { graceMs } = {}) {
  const found = new Map([...readChildren(dir), ...findMarked(dir)].map((child) => [child.pid, child]));
  const left = [...found.values()].filter(isSameProcess);
  const isStore = ({ name }) => STORES.has(name);
  const end = ({ name, pid }) =>
    endProcess(pid, { signal: name === 'postgres' ? 'SIGINT' : 'SIGTERM', graceMs });
  await Promise.all(left.filter((child) => !isStore(child)).map(end));
  await Promise.all(left.filter(isStore).map(end));
  return [...new Set(left.map(({ name }) => name))];
}
