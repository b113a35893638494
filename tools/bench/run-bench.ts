import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { applyMigrations } from '@/scripts/migrate/apply-migrations';
import { type BenchArguments, FIGURE_NAMES, type FigureName } from './arguments';
import type { BenchContext } from './bench-context';
import { measureAbuse } from './figures/abuse';
import { measureEntry } from './figures/entry';
import { measureExpiry } from './figures/expiry';
import { measureFsync } from './figures/fsync';
import { measureGrowth } from './figures/growth';
import { measureJourney } from './figures/journey';
import { measureLimits } from './figures/limits';
import { measureLine } from './figures/line';
import { measureLog } from './figures/log';
import { measureOrders } from './figures/orders';
import { measurePage } from './figures/page';
import { measurePurchase } from './figures/purchase';
import { measureReplicas } from './figures/replicas';
import { measureSalesList } from './figures/sales-list';
import { measureScale } from './figures/scale';
import { measureScript } from './figures/script';
import { measureSession } from './figures/session';
import { measureSignIn } from './figures/sign-in';
import { measureSlices } from './figures/slices';
import { measureSoldOut } from './figures/sold-out';
import { measureSpike } from './figures/spike';
import { measureSteady } from './figures/steady';
import { measureStrategies } from './figures/strategies';
import { measureWatchers } from './figures/watchers';
import { measureWhole } from './figures/whole';
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
import { startServers } from './stack/servers';
import { spread } from './stats';

const FIGURES: Record<FigureName, (context: BenchContext) => Promise<FigureReport>> = {
  script: measureScript,
  purchase: measurePurchase,
  entry: measureEntry,
  line: measureLine,
  session: measureSession,
  'sign-in': measureSignIn,
  limits: measureLimits,
  strategies: measureStrategies,
  'sold-out': measureSoldOut,
  page: measurePage,
  'sales-list': measureSalesList,
  fsync: measureFsync,
  replicas: measureReplicas,
  slices: measureSlices,
  growth: measureGrowth,
  orders: measureOrders,
  log: measureLog,
  journey: measureJourney,
  whole: measureWhole,
  steady: measureSteady,
  spike: measureSpike,
  abuse: measureAbuse,
  watchers: measureWatchers,
  expiry: measureExpiry,
  scale: measureScale,
};
const QUICK = { rounds: 3, seconds: 0.75 };
const FULL = { rounds: 5, seconds: 4 };

/** Makes the report of a figure that could not be measured; the others go on. */
function failed(name: FigureName, error: unknown): FigureReport {
  const reason = error instanceof Error ? error.message : String(error);
  const row = { figure: name, measured: '–', result: '–', target: '–', verdict: 'not measured' } as const;
  return { name, rows: [row], notes: [`could not be measured: ${reason}`], samples: {} };
}

/** Adds how steady the rounds were and, where a target was missed, the known reasons. */
function explained(name: FigureName, report: FigureReport): FigureReport {
  const finding = FINDINGS[name];
  const isMissed = report.rows.some((row) => row.verdict === 'missed');
  const spreads = Object.values(report.samples).flatMap((rounds) =>
    rounds.length < 3 ? [] : [spread(rounds)],
  );
  const apart = Math.round(Math.max(0, ...spreads) * 100);
  return {
    ...report,
    notes: [
      ...report.notes,
      ...(spreads.length > 0 ? [`the rounds of one contestant lie up to ${apart} % apart.`] : []),
      ...(finding && isMissed ? [finding] : []),
    ],
  };
}

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
  const stops: (() => unknown)[] = [];
  try {
    const servers = await startServers();
    stops.push(servers.stop);
    say('Postgres and Redis are up');
    await applyMigrations(servers.databaseUrl);
    const profiler = profile === null ? null : createProfiler(root, profile);
    const product = await startProduct(root, servers, { say, profiler });
    stops.push(product.stop);
    // Modules of lib read their settings once, at first use. From here on they use the product's settings.
    Object.assign(process.env, product.env);
    stops.push(() => Promise.allSettled([closeDb(), closeRedis()]));
    say('the product is up');

    let nextUser = 1;
    const takeUsers = (count: number) => {
      nextUser += count;
      return nextUser - count;
    };
    const size = isQuick ? QUICK : FULL;
    const rssAtStartMiB = product.fastPath.rssMiB();
    const shared = { root, isQuick, ...size, servers, product, takeUsers, rssAtStartMiB, say };
    const reports: FigureReport[] = [];
    for (const name of only) {
      say(`measuring ${name}`);
      // Its own for each figure: one ended for want of memory after all that came before.
      const generator = startGenerator(root, product.env);
      stops.push(generator.stop);
      await profiler?.begin(name);
      const report = await FIGURES[name]({ ...shared, generator }).catch((error: unknown) =>
        failed(name, error),
      );
      generator.stop();
      reports.push(explained(name, report));
      // At once: a run that ends early keeps what it has measured.
      for (const { figure, result, verdict } of report.rows) say(`${figure}: ${result} (${verdict})`);
      for (const line of (await profiler?.end()) ?? []) console.log(line);
    }
    const run = {
      loadBefore,
      rounds: size.rounds,
      roundSeconds: size.seconds,
      mode: isQuick ? 'quick' : 'full',
      seconds: (performance.now() - from) / 1000,
      nginx: findNginx()?.version ?? null,
    } as const;
    const environment = await readEnvironment(root, run);
    console.log(`\n${renderTable(reports)}\n`);
    for (const { name, notes } of reports) for (const note of notes) console.log(`${name}: ${note}`);
    if (earlier) console.log(`\n${renderComparison(earlier, { environment, reports })}`);
    if (json) writeFileSync(json, `${JSON.stringify({ environment, reports }, null, 2)}\n`);
    if (only.length === FIGURE_NAMES.length && profiler === null) {
      writeFileSync(join(root, 'docs/BENCHMARKS.md'), renderMarkdown(environment, reports));
    }
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
