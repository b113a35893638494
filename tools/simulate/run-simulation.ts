import { setImmediate as breathe } from 'node:timers/promises';
import type { SimulateArguments } from './arguments';
import { loadBundle } from './bundle/load-bundle';
import { runSchedule, type ScheduleReport } from './run-schedule';

/** A run ends after this many broken schedules, because more would teach nothing. */
export const MAX_BROKEN = 10;

export type SimulationReport = {
  schedules: number;
  tookMs: number;
  /** The first ten schedules that broke a promise, each run again with its trail. */
  broken: ScheduleReport[];
  /** Schedules by the kind of their sale. */
  kinds: Record<string, number>;
  /** Sums over all schedules. */
  injected: Record<string, number>;
  answers: Record<string, number>;
  orders: Record<string, number>;
};

/** Runs schedules of successive seeds, until all are done or ten have broken a promise. */
export async function runSimulation({
  schedules,
  seed,
  bug,
  kind,
}: Omit<SimulateArguments, 'jobs'>): Promise<SimulationReport> {
  const bundle = await loadBundle(bug);
  const sums = { injected: {}, answers: {}, orders: {} };
  const kinds: Record<string, number> = {};
  const broken: ScheduleReport[] = [];
  const startedAt = performance.now();
  let count = 0;
  while (count < schedules && broken.length < MAX_BROKEN) {
    const report = await runSchedule(bundle, seed + count, { bug, kind });
    count += 1;
    add(kinds, { [report.kind]: 1 });
    for (const kind of ['injected', 'answers', 'orders'] as const) add(sums[kind], report[kind]);
    if (report.violations.length > 0)
      broken.push(await runSchedule(bundle, report.seed, { bug, kind, isTold: true }));
    // A schedule runs in microtasks only. Pausing in between lets the process handle signals.
    await breathe();
  }
  return { schedules: count, tookMs: performance.now() - startedAt, broken, kinds, ...sums };
}

/** Adds counts to a sum of counts. */
export function add(sum: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
}

/** Returns the lines to print: each broken schedule with its trail, then the sums. */
export function describeSimulation({ schedules, tookMs, broken, ...sums }: SimulationReport): string[] {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${count} × ${name}`)
      .join(', ') || 'none';
  const perMinute = Math.round((schedules / tookMs) * 60_000);
  return [
    ...broken.flatMap(({ seed, kind, violations, injected, trail, profile }) => [
      ...trail,
      `seed ${seed}, ${kind}: ${list({ ...injected })}`,
      `  ${JSON.stringify(profile)}`,
      ...violations.map((violation) => `  ✗ ${violation}`),
      `  again: npm run simulate -- --schedules 1 --seed ${seed} --kind ${kind}`,
    ]),
    `sales      ${list(sums.kinds)}`,
    `injected   ${list(sums.injected)}`,
    `purchases  ${list(sums.answers)}`,
    `orders     ${list(sums.orders)}`,
    `${schedules} schedules in ${(tookMs / 1_000).toFixed(1)} s, ${perMinute} a minute; ${broken.length} with a broken promise`,
  ];
}
