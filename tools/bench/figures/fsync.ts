import { stockRedis } from '@/lib/redis/client';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote } from '../bench-context';
import { measurePurchases } from '../measure-purchases';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { dropBenchSale, openBenchSale } from '../stack/sales';

const TARGET = 0.8;

/** Measures the cost of never losing an accepted purchase: the same server and Redis, syncing always or every second. */
export async function measureFsync(context: BenchContext): Promise<FigureReport> {
  const sale = await openBenchSale(1_000_000_000);
  const busy: number[] = [];
  const contestant = (policy: string) => ({
    name: policy,
    run: async () => {
      await stockRedis().config('SET', 'appendfsync', policy);
      return measurePurchases(context, { targets: [sale], busy });
    },
  });
  try {
    const samples = await alternate(context.rounds, [contestant('always'), contestant('everysec')]);
    return {
      name: 'fsync',
      samples,
      rows: [
        ratioRow({
          figure: 'purchases accepted/s, appendfsync always : everysec',
          ours: samples.always ?? [],
          theirs: samples.everysec ?? [],
          target: { atLeast: TARGET },
        }),
      ],
      notes: generatorNote(busy),
    };
  } finally {
    await stockRedis().config('SET', 'appendfsync', 'always');
    await dropBenchSale(sale);
  }
}
