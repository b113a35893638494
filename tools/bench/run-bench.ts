import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { closeDb } from '@/lib/db/client';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { spread } from '@/tools/harness/stats';
import type { BenchArguments } from './arguments';
import { type BenchContext, generatorNote } from './bench-context';
import { FIGURE_NAMES, FIGURES, type FigureName } from './figures';
import { startGenerator } from './load/generator';
import { createProfiler } from './profile/profiler';
import { findNginx } from './reference/nginx';
import { renderComparison } from './report/compare';
import { readEarlierRun } from './report/earlier-run';
import { readEnvironment } from './report/environment';
import { FINDINGS } from './report/findings';
import { renderMarkdown, renderTable } from './report/render';
import type { FigureReport } from './report/types';
import { startProduct } from './stack/product';
import { dropBenchSales } from './stack/sales';

const QUICK = { rounds: 3, seconds: 0.75 };
const FULL = { rounds: 5, seconds: 4 };

/**
 * Measures the figures on servers of its own and prints them. A run of all figures also writes docs/BENCHMARKS.md,
 * unless it is slowed down by profiling.
 * @throws UsageError when the run to compare with can't be read. Stops its servers when anything fails.
 */
export async function runBench(
  root: string,
  { json, compare, isQuick, only, profile }: BenchArguments,
): Promise<void> {
  const earlier = compare === null ? null : readEarlierRun(compare);
  const from = performance.now();
  const loadBefore = loadavg()[0] ?? 0;
  const say = (line: string) =>
    console.log(`[${((performance.now() - from) / 1000).toFixed(0).padStart(3)} s] ${line}`);
  const size = isQuick ? QUICK : FULL;
  const profiler = profile === null ? null : createProfiler(root, profile);
  const product = await startProduct(root, { say, profiler });
  try {
    // Modules of lib read their settings once, at first use. From here on they use the product's settings.
    Object.assign(process.env, product.env);
    // If Redis rewrote its file in the middle of a round, the round would look slow.
    await stockRedis().config('SET', 'auto-aof-rewrite-percentage', 0);
    say('the product is up');
    let nextUser = 1;
    const takeUsers = (count: number) => {
      nextUser += count;
      return nextUser - count;
    };
    const reports: FigureReport[] = [];
    for (const name of only) {
      say(`measuring ${name}`);
      await profiler?.begin(name);
      const report = await measure(name, { root, isQuick, ...size, product, takeUsers, say });
      reports.push(report);
      // At once: a run that ends early keeps what it has measured.
      for (const { figure, result, verdict } of report.rows) say(`${figure}: ${result} (${verdict})`);
      for (const file of (await profiler?.end()) ?? []) say(`profile: ${file}`);
    }
    const environment = await readEnvironment(root, {
      loadBefore,
      rounds: size.rounds,
      roundSeconds: size.seconds,
      mode: isQuick ? 'quick' : 'full',
      seconds: (performance.now() - from) / 1000,
      nginx: findNginx()?.version ?? null,
    });
    console.log(`\n${renderTable(reports)}\n`);
    for (const { name, notes } of reports) for (const note of notes) console.log(`${name}: ${note}`);
    if (earlier) console.log(`\n${renderComparison(earlier, { environment, reports })}`);
    if (json) writeFileSync(json, `${JSON.stringify({ environment, reports }, null, 2)}\n`);
    if (only.length === FIGURE_NAMES.length && profiler === null) {
      writeFileSync(join(root, 'docs/BENCHMARKS.md'), renderMarkdown(environment, reports));
    }
  } finally {
    await Promise.allSettled([closeDb(), closeRedis()]);
    await product.stop();
  }
}

/** Measures one figure, and leaves nothing of it behind. One that could not be measured says why; the others go on. */
async function measure(
  name: FigureName,
  shared: Omit<BenchContext, 'generator' | 'busy' | 'atEnd'>,
): Promise<FigureReport> {
  // Its own for each figure: one ended for want of memory after all that came before.
  const generator = startGenerator(shared.root, shared.product.env);
  const ends: (() => unknown)[] = [generator.stop];
  const busy: number[] = [];
  try {
    const atEnd = (work: () => unknown) => void ends.unshift(work);
    const report = await FIGURES[name]({ ...shared, generator, busy, atEnd }).finally(async () => {
      for (const end of ends) await end();
      await dropBenchSales();
    });
    return { name, ...report, notes: [...report.notes, ...generatorNote(busy), ...remarks(name, report)] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const logs = join(shared.root, 'test-results', `bench-${name}`);
    shared.product.keepLogs(logs);
    shared.say(`${name} could not be measured; the logs of all processes are in ${logs}`);
    const row = { figure: name, measured: '–', result: '–', target: '–', verdict: 'not measured' } as const;
    return { name, rows: [row], notes: [`could not be measured: ${reason}`], samples: {} };
  }
}

/** Returns how steady the rounds were and, where a target was missed, the known reasons. */
function remarks(name: FigureName, { samples, rows }: Omit<FigureReport, 'name'>): string[] {
  const finding = rows.some(({ verdict }) => verdict === 'missed') ? FINDINGS[name] : undefined;
  const spreads = Object.values(samples).flatMap((rounds) => (rounds.length < 3 ? [] : [spread(rounds)]));
  const apart = Math.round(Math.max(0, ...spreads) * 100);
  return [
    ...(spreads.length > 0 ? [`the rounds of one contestant lie up to ${apart} % apart.`] : []),
    ...(finding ? [finding] : []),
  ];
}
