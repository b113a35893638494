import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the processor time that a process and everything it has started have used so far.
 * @param {number} pid
 * @returns {number | undefined} in ticks of the system; undefined where there is no /proc
 */
export function cpuTicks(pid) {
  const all = readProcesses();
  if (all.size === 0) return undefined;
  let ticks = 0;
  for (const [id, entry] of all) {
    if (id === pid || isBelow(all, entry.parent, pid)) ticks += entry.ticks;
  }
  return ticks;
}

function isBelow(all, from, pid) {
  for (let id = from; id > 1; id = all.get(id)?.parent ?? 0) if (id === pid) return true;
  return false;
}

function readProcesses() {
  const all = new Map();
  for (const name of listProcesses()) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // Its own time, plus that of children that have ended.
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      all.set(Number(name), { parent: Number(fields[1]), ticks });
    } catch {
      // The process has ended meanwhile.
    }
  }
  return all;
}

function listProcesses() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
