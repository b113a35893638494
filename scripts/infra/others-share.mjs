import { cpus } from 'node:os';
import { cpuTicks } from './cpu-ticks.mjs';

const MS_PER_TICK = 10;

/**
 * Begins to watch how busy others keep this machine.
 * @returns {() => number} the share of all processors, 0 to 1, that processes have used since which neither this one nor
 *   any that it started had begun; 0 where there is no /proc
 */
export function watchOthers() {
  const before = [busyAndAll(), cpuTicks(process.pid)];
  return () => {
    const [[busyThen, allThen], oursThen] = before;
    const [[busy, all], ours] = [busyAndAll(), cpuTicks(process.pid)];
    if (ours === undefined || oursThen === undefined || all === allThen) return 0;
    const others = busy - busyThen - (ours - oursThen) * MS_PER_TICK;
    return Math.min(1, Math.max(0, others / (all - allThen)));
  };
}

/** Processor time used and processor time there was, ms, since the system started. */
function busyAndAll() {
  let [busy, all] = [0, 0];
  for (const { times } of cpus()) {
    const used = times.user + times.nice + times.sys + times.irq;
    busy += used;
    all += used + times.idle;
  }
  return [busy, all];
}
