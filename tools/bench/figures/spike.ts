import { createLoadUsers } from '@/lib/load-test/create-load-users';
import type { BenchContext } from '../bench-context';
import { msText, whole } from '../report/format';
import { measuredOnce } from '../report/ratio-row';
import { atMost, type FigureReport, type Row } from '../report/types';
import { dropBenchSale, openBenchSale } from '../stack/sales';
import { awaitOrders } from './await-orders';

const WINDOW_MS = 1_000;
/**
 * Connections are opened this long before the start. It must be under 5 s, because a server closes connections that
 * are silent for 5 s.
 */
const LEAD_MS = 4_000;
const P99_TARGET_MS = 500;
const WRITTEN_TARGET_MS = 2_000;
const TIMEOUT_MS = 60_000;
const CONNECTIONS = 1_000;

/** Measures a spike: all users within the first second of the sale, and no user waits for another's answer. */
export async function measureSpike(context: BenchContext): Promise<FigureReport> {
  const { product, generator, isQuick } = context;
  const [users, units] = isQuick ? [2_000, 200] : [10_000, 1_000];
  await createLoadUsers(users);
  const rssBefore = product.fastPath.rssMiB();
  const writers = await product.startWriters();
  const startsAt = Date.now() + LEAD_MS;
  const sale = await openBenchSale(units, { startsAt });
  try {
    const orders = awaitOrders(sale.saleId, units, TIMEOUT_MS + LEAD_MS);
    const load = await generator.run({
      loop: 'open',
      port: product.fastPath.port,
      connections: Math.min(CONNECTIONS, users),
      source: { kind: 'purchases', targets: [sale], fromUser: 1, count: users, isCyclic: false },
      // Redis's clock, on the same machine, decides. A millisecond later the sale is surely open.
      startAtMs: startsAt + 2,
      windowMs: WINDOW_MS,
      count: users,
    });
    const { written, lastAtMs } = await orders;
    const writtenMs = written === units ? lastAtMs - startsAt : Number.POSITIVE_INFINITY;
    const { p50, p99, max } = load.latencyMs;
    const answered = (load.answers[202] ?? 0) + (load.answers[409] ?? 0);
    const isExact = answered === users && load.answers[202] === units;
    const size = `${whole(users)} users, ${whole(units)} units`;
    return {
      name: 'spike',
      samples: { p50: [p50], p99: [p99], max: [max], writtenMs: [writtenMs] },
      rows: [
        {
          figure: `spike, ${size}: answered`,
          measured: Object.entries(load.answers)
            .map(([status, count]) => `${whole(count)} × ${status}`)
            .join(', '),
          result: `${whole(answered)} of ${whole(users)}`,
          target: `all, ${whole(units)} accepted`,
          verdict: isExact ? 'met' : 'missed',
        },
        {
          figure: 'spike: latency p99',
          measured: `p50 ${msText(p50)}, p99 ${msText(p99)}, max ${msText(max)}`,
          result: msText(p99),
          target: `≤ ${P99_TARGET_MS} ms`,
          verdict: atMost(p99, P99_TARGET_MS),
          ...measuredOnce(p99, 'less'),
        },
        {
          figure: 'spike: last order in Postgres after the start',
          measured: `${whole(written)} orders`,
          result: Number.isFinite(writtenMs) ? msText(writtenMs) : 'never',
          target: `≤ ${whole(WRITTEN_TARGET_MS)} ms`,
          verdict: atMost(writtenMs, WRITTEN_TARGET_MS),
          ...measuredOnce(writtenMs, 'less'),
        },
        memoryRow('process that sells', 'web', context.rssAtStartMiB, rssBefore, product.fastPath.rssMiB()),
        memoryRow('process of Next', 'next', context.rssAtStartMiB, rssBefore, product.fastPath.rssMiB()),
      ],
      notes: [
        `one run over ${whole(Math.min(CONNECTIONS, users))} connections opened before the start, requests spread evenly over its first second, worker and executor running.`,
      ],
    };
  } finally {
    await writers.stop();
    await dropBenchSale(sale);
  }
}

type Memory = ReturnType<BenchContext['product']['fastPath']['rssMiB']>;

const memoryRow = (name: string, of: keyof Memory, start: Memory, before: Memory, after: Memory): Row => ({
  figure: `RSS of the ${name}`,
  measured: `${whole(start[of])} MiB after its start, ${whole(before[of])} MiB before the spike`,
  result: `${whole(after[of])} MiB after the spike`,
  target: 'printed',
  verdict: 'info',
  ...measuredOnce(after[of], 'less'),
});
