import { median } from '@/tools/harness/stats';
import type { RoundReport } from './run-round';

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const wellIn = (ms: number) => (Number.isFinite(ms) ? seconds(ms) : 'never');

/** Returns the lines to print for a round: the injected faults and their times, the answers, the broken promises. */
export function describeRound(report: RoundReport): string[] {
  const { seed, slices, hitSlice, faults, crashes, answers, orders, drainMs, tookMs, violations, trails } =
    report;
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} × ${name}`)
      .join(', ') || 'none';
  return [
    `seed ${seed}: ${violations.length === 0 ? 'every promise kept' : `${violations.length} VIOLATIONS`} (${seconds(tookMs)}, ${seconds(drainMs)} of it until everything had settled)`,
    ...(slices > 1 ? [`  ${slices} slices, the faults hit slice ${hitSlice}`] : []),
    ...faults.map(({ name, atMs, undoneAtMs, wellAtMs }) => {
      const well = wellAtMs === null ? 'never well again' : `well ${seconds(wellAtMs - undoneAtMs)} later`;
      return `  ${seconds(atMs).padStart(7)}  ${name}, until ${seconds(undoneAtMs)}, ${well}`;
    }),
    ...crashes.map(({ atMs, name, how }) => `  ${seconds(atMs).padStart(7)}  ${name} ${how} by itself`),
    `  purchases  ${list(answers)}`,
    `  orders     ${list(orders)}; ${report.charges} charges, ${report.callbacks} callbacks`,
    `  merchant   ${describeAdmin(report.admin)}`,
    ...violations.map(({ rule, problem }) => `  ✗ ${rule}: ${problem}`),
    ...trails.flat().map((line) => `    ${line}`),
  ];
}

/** Describes the merchant's acts; joins repeated answers. */
function describeAdmin(admin: RoundReport['admin']): string {
  const said: { text: string; times: number }[] = [];
  for (const { atMs, act, detail } of admin) {
    const last = said.at(-1);
    if (last?.text.endsWith(` ${act}: ${detail}`)) last.times += 1;
    else said.push({ text: `${seconds(atMs)} ${act}: ${detail}`, times: 1 });
  }
  return said.map(({ text, times }) => (times > 1 ? `${text} (${times} ×)` : text)).join('; ');
}

/** Returns the command that repeats a round. */
export const repeatCommand = (seed: number, options: readonly string[]): string =>
  `npm run chaos -- --rounds 1 --seed ${seed}${options.length > 0 ? ` ${options.join(' ')}` : ''}`;

/**
 * Summarises all rounds: how often each fault came, and how long it took until the product was well again. Counts
 * only recoveries during which no other fault came.
 */
export function describeFaults(reports: readonly RoundReport[]): string[] {
  const byName = new Map<string, { count: number; timesMs: number[] }>();
  for (const { faults } of reports) {
    for (const fault of faults) {
      const { name, undoneAtMs, wellAtMs } = fault;
      const known = byName.get(name) ?? { count: 0, timesMs: [] };
      const until = wellAtMs ?? Number.POSITIVE_INFINITY;
      const isAlone = faults.every(
        (other) => other === fault || other.undoneAtMs < fault.atMs || other.atMs > until,
      );
      const timesMs = isAlone ? [...known.timesMs, until - undoneAtMs] : known.timesMs;
      byName.set(name, { count: known.count + 1, timesMs });
    }
  }
  return [...byName]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, { count, timesMs }]) => {
      const well = timesMs.length
        ? `well again after ${wellIn(median(timesMs))} (median), ${wellIn(Math.max(...timesMs))} (most)`
        : 'never alone';
      return `  ${name.padEnd(16)} ${String(count).padStart(4)} ×   ${well}`;
    });
}
