import { createLoadUsers } from '@/lib/load-test/create-load-users';
import { median } from '@/tools/harness/stats';
import { type BenchContext, FAST_PATH_PER_SECOND, type Figure, measureRate, PLENTY } from '../bench-context';
import { contest } from '../contest';
import { msText } from '../report/format';
import { singleRow } from '../report/rows';
import { dropBenchSale, openBenchSale } from '../stack/sales';
import { awaitOrders } from './await-orders';

const TARGET = 0.6;
const P99_TARGET_MS = 50;
const TIMEOUT_MS = 60_000;
const WARM_UP = 2_000;
/** Long enough for a process that has sold nothing yet; the load ends when everybody has bought. */
const WARM_UP_SECONDS_MAX = 20;

/**
 * Measures selling while everything works: purchases accepted with worker, executor and Postgres writing orders,
 * against the same with nobody writing them.
 */
export const measureWhole: Figure = async (context) => {
  const count = Math.ceil(FAST_PATH_PER_SECOND * context.seconds);
  await createLoadUsers(count);
  const p99s: number[] = [];
  const atWork = async (round: number) => {
    const writers = await context.product.startWriters();
    try {
      // Writers that only just start do not write.
      await sell(context, WARM_UP, { seconds: WARM_UP_SECONDS_MAX, isWritten: true });
      const { perSecond, result } = await sell(context, count, { isWritten: true });
      if (round > 0) p99s.push(result.latencyMs.p99);
      return perSecond;
    } finally {
      await writers.stop();
    }
  };
  const alone = async () => {
    await sell(context, WARM_UP, { seconds: WARM_UP_SECONDS_MAX });
    return (await sell(context, count, {})).perSecond;
  };
  const { rows, samples } = await contest(context, { 'at work': atWork, alone }, [
    {
      figure: 'purchases accepted/s, everything at work : nobody writes orders',
      ours: 'at work',
      theirs: 'alone',
      target: { atLeast: TARGET },
    },
  ]);
  return {
    samples: { ...samples, p99: p99s },
    rows: [
      ...rows,
      singleRow({
        figure: 'everything at work: latency p99 of a purchase',
        measured: 'median of the rounds',
        value: median(p99s),
        target: { atMost: P99_TARGET_MS },
        text: msText,
      }),
    ],
    notes: [
      'worker and executor start anew for each round, write 2,000 orders beforehand, and end when all its orders are written.',
      'in a rush orders are left lying for 2.5 s at most, where somebody waits for a processor: see docs/decisions/053-a-rush-comes-first.md.',
    ],
  };
};

/** Sells to `count` users, in a sale of its own. @param isWritten also waits until their orders are in Postgres */
async function sell(
  context: BenchContext,
  count: number,
  { seconds, isWritten = false }: { seconds?: number; isWritten?: boolean },
) {
  const sale = await openBenchSale(PLENTY);
  const source = { kind: 'purchases', targets: [sale], fromUser: 1, count } as const;
  const rate = await measureRate(context, { source, expected: 202, seconds });
  // Orders that one round leaves unwritten would be work for the next.
  if (isWritten) await awaitOrders(sale.saleId, rate.result.answers[202] ?? 0, TIMEOUT_MS);
  await dropBenchSale(sale);
  return rate;
}
