import { readFileSync } from 'node:fs';
import type { LoadResult } from '@/tools/bench/load/types';
import { usOf } from './processor-clock';

/** Reading all processes takes some milliseconds: more often would be a load itself. */
const LOOK_EVERY_MS = 250;
const US_PER_TICK = 10_000;

/**
 * One look: processor time so far of the whole machine, of all we have started, and of the web process; and how long
 * somebody waited for a disk. All µs.
 */
type Look = { at: number; machine: number; ours: number; web: number; stalled: number };
export type Observed = {
  result: LoadResult;
  /** Cores that others left for the load, or more that it got of theirs. */
  cores: number;
  /** Cores that the web process used meanwhile, and just before. */
  webBusy: number;
  idleBusy: number;
  /** Share of the time in which somebody on the machine waited for a disk; 0 where Linux doesn't say. */
  diskStalled: number;
};

/** Runs a load and looks at the processors while it lasts: not while its requests are made, before it. */
export async function observed(webPid: number, run: () => Promise<LoadResult>): Promise<Observed> {
  const looks: Look[] = [];
  const look = () =>
    looks.push({
      at: performance.now(),
      ...machineTime(),
      ours: usOf(process.pid),
      web: usOf(webPid),
      stalled: diskStalledUs(),
    });
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  try {
    const result = await run();
    look();
    const last = looks.at(-1) as Look;
    const begins = looks.findLastIndex(({ at }) => at <= last.at - result.elapsedMs);
    const first = looks[Math.max(0, begins)] as Look;
    const before = looks[Math.max(0, begins - 4)] as Look;
    const per = (a: Look, b: Look, of: 'machine' | 'ours' | 'web' | 'stalled') =>
      a === b ? 0 : (b[of] - a[of]) / ((b.at - a.at) * 1_000);
    const ours = per(first, last, 'ours');
    const others = Math.max(0, per(first, last, 'machine') - ours);
    return {
      result,
      cores: Math.max(coreCount() - others, ours),
      webBusy: per(first, last, 'web'),
      idleBusy: per(before, first, 'web'),
      diskStalled: per(first, last, 'stalled'),
    };
  } finally {
    clearInterval(timer);
  }
}

/** Linux's own count of pressure (`/proc/pressure/io`). */
function diskStalledUs(): number {
  try {
    return Number(/^some .*total=(\d+)/m.exec(readFileSync('/proc/pressure/io', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const statLines = () => readFileSync('/proc/stat', 'utf8').split('\n');
const coreCount = () => statLines().filter((line) => /^cpu\d/.test(line)).length;

function machineTime(): { machine: number } {
  const numbers = (statLines()[0] ?? '').split(/\s+/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = numbers;
  return { machine: (user + nice + system + irq + softirq + steal) * US_PER_TICK };
}
