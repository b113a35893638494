import { readFileSync } from 'node:fs';
import type { LoadResult } from '@/tools/bench/load/types';

const LOOK_EVERY_MS = 100;
/** What is too little to be seen in a short run. */
const LEAST_CORES = 0.02;
const US_PER_TICK = 10_000;
/** Looks just before the load, from which one sees what a process does while nothing happens. */
const IDLE_LOOKS = 10;

/** The processes that answer a load and make it, each with all it has started. */
export type Pids = { web: number; others: readonly number[] };

/** One look, in µs: processor time so far of the machine, of the load's processes, of the web process; waits for disks. */
type Look = { at: number; machine: number; load: number; web: number; stalled: number };
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
export async function observed(pids: Pids, run: () => Promise<LoadResult>): Promise<Observed> {
  // Once: reading all processes takes some milliseconds, and would be a load itself.
  const web = familyOf(pids.web);
  const others = pids.others.flatMap(familyOf);
  const looks: Look[] = [];
  const look = () => {
    const webUs = sum(web);
    looks.push({
      at: performance.now(),
      machine: machineUs(),
      load: webUs + sum(others),
      web: webUs,
      stalled: diskStalledUs(),
    });
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  try {
    const result = await run();
    look();
    const last = looks.at(-1) as Look;
    const begins = Math.max(
      0,
      looks.findLastIndex(({ at }) => at <= last.at - result.elapsedMs),
    );
    const first = looks[begins] as Look;
    const before = looks[Math.max(0, begins - IDLE_LOOKS)] as Look;
    const load = per(first, last, 'load');
    const foreign = Math.max(0, per(first, last, 'machine') - load);
    return {
      result,
      cores: Math.max(coreCount() - foreign, load, LEAST_CORES),
      webBusy: per(first, last, 'web'),
      idleBusy: per(before, first, 'web'),
      diskStalled: per(first, last, 'stalled'),
    };
  } finally {
    clearInterval(timer);
  }
}

const per = (from: Look, to: Look, of: Exclude<keyof Look, 'at'>): number =>
  from === to ? 0 : (to[of] - from[of]) / ((to.at - from.at) * 1_000);

const sum = (pids: readonly number[]) => pids.reduce((total, pid) => total + ownUs(pid), 0);

function familyOf(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(familyOf)];
}

/** Processor time of one process alone; 0 once it has ended. */
function ownUs(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * US_PER_TICK;
}

const coreCount = () => read('/proc/stat').match(/^cpu\d/gm)?.length ?? 1;

function machineUs(): number {
  const numbers = (read('/proc/stat').split('\n')[0] ?? '').split(/\s+/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = numbers;
  return (user + nice + system + irq + softirq + steal) * US_PER_TICK;
}

/** Linux's own count of pressure. */
const diskStalledUs = () => Number(/^some .*total=(\d+)/m.exec(read('/proc/pressure/io'))?.[1] ?? 0);

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
