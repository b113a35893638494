import { createLoadUsers } from '@/lib/load-test/create-load-users';
import { alternate } from '../alternate';
import { type BenchContext, measureRate } from '../bench-context';
import { FAST_PATH_PER_SECOND } from '../measure-purchases';
import { msText, whole } from '../report/format';
import { measuredOnce, ratioRow } from '../report/ratio-row';
import { atMost, type FigureReport } from '../report/types';
import { dropBenchSale, openBenchSale } from '../stack/sales';
import { median } from '../stats';
import { awaitOrders } from './await-orders';

const STOCK = 1_000_000_000;
const TARGET = 0.6;
const P99_TARGET_MS = 50;
const WRITTEN_TARGET_MS = 3_000;
const TIMEOUT_MS = 60_000;
const RUSH_SECONDS_MAX = 20;
const WARM_UP = 2_000;

/**
 * Measures selling while everything works: purchases accepted with worker, executor and Postgres writing orders,
 * against the same with nobody writing them; then how soon the last of a rush is written.
 */
export async function measureWhole(context: BenchContext): Promise<FigureReport> {
  const { product, seconds, isQuick } = context;
  const count = Math.ceil(FAST_PATH_PER_SECOND * seconds);
  await createLoadUsers(count);
  const p99s: number[] = [];
  const contestant = (name: string, hasWriters: boolean) => ({
    name,
    run: async () => {
      const writers = hasWriters ? await product.startWriters() : null;
      const sale = await openBenchSale(STOCK);
      try {
        await warmUp(context, hasWriters);
        const source = { kind: 'purchases', targets: [sale], fromUser: 1, count, isCyclic: false } as const;
        const { perSecond, result } = await measureRate(context, product.fastPath.port, source, 202);
        if (hasWriters) {
          p99s.push(result.latencyMs.p99);
          // Orders that one round leaves unwritten would be work for the next.
          await awaitOrders(sale.saleId, result.answers[202] ?? 0, TIMEOUT_MS);
        }
        return perSecond;
      } finally {
        await writers?.stop();
        await dropBenchSale(sale);
      }
    },
  });
  const rush = isQuick ? 2_000 : 10_000;
  const writtenMs = await writeRush(context, rush);
  const samples = await alternate(context.rounds, [contestant('at work', true), contestant('alone', false)]);
  const p99 = median(p99s);
  return {
    name: 'whole',
    samples: { ...samples, p99: p99s, writtenMs: [writtenMs] },
    rows: [
      ratioRow({
        figure: 'purchases accepted/s, everything at work : nobody writes orders',
        ours: samples['at work'] ?? [],
        theirs: samples.alone ?? [],
        target: { atLeast: TARGET },
      }),
      {
        figure: 'everything at work: latency p99 of a purchase',
        measured: 'median of the rounds',
        result: msText(p99),
        target: `≤ ${P99_TARGET_MS} ms`,
        verdict: atMost(p99, P99_TARGET_MS),
        ...measuredOnce(p99, 'less'),
      },
      {
        figure: `last of ${whole(rush)} orders in Postgres after the last acceptance`,
        measured: 'one run',
        result: Number.isFinite(writtenMs) ? msText(writtenMs) : 'never',
        target: `≤ ${whole(WRITTEN_TARGET_MS)} ms`,
        verdict: atMost(writtenMs, WRITTEN_TARGET_MS),
        ...measuredOnce(writtenMs, 'less'),
      },
    ],
    notes: [
      'worker and executor start anew for each round, write 2,000 orders beforehand, and end when all its orders are written; the one of the rush is measured first.',
      'in a rush orders are left lying for 2.5 s at most, where somebody waits for a processor: see docs/decisions/053-a-rush-comes-first.md.',
    ],
  };
}

/** Sells a little beforehand: writers that only just start do not write. */
async function warmUp(context: BenchContext, hasWriters: boolean): Promise<void> {
  const sale = await openBenchSale(WARM_UP);
  try {
    const source = {
      kind: 'purchases',
      targets: [sale],
      fromUser: 1,
      count: WARM_UP,
      isCyclic: false,
    } as const;
    await measureRate({ ...context, seconds: RUSH_SECONDS_MAX }, context.product.fastPath.port, source, 202);
    if (hasWriters) await awaitOrders(sale.saleId, WARM_UP, TIMEOUT_MS);
  } finally {
    await dropBenchSale(sale);
  }
}

/** Sells a rush. @returns ms from the last acceptance to the last order in Postgres */
async function writeRush(context: BenchContext, count: number): Promise<number> {
  const { product } = context;
  const writers = await product.startWriters();
  const sale = await openBenchSale(count);
  try {
    const orders = awaitOrders(sale.saleId, count, TIMEOUT_MS);
    const source = { kind: 'purchases', targets: [sale], fromUser: 1, count, isCyclic: false } as const;
    // Long enough for a process that has sold nothing yet; the load ends when everybody has bought.
    await measureRate({ ...context, seconds: RUSH_SECONDS_MAX }, product.fastPath.port, source, 202);
    const acceptedAtMs = Date.now();
    const { written, lastAtMs } = await orders;
    return written === count ? lastAtMs - acceptedAtMs : Number.POSITIVE_INFINITY;
  } finally {
    await writers.stop();
    await dropBenchSale(sale);
  }
}
