import { stockRedis } from '@/lib/redis/client';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { dropBenchSale, openBenchSale } from '../stack/sales';
import { FAST_PATH_PER_SECOND } from './purchase';

const TARGET = 0.8;

/** Measures the cost of never losing an accepted purchase: the same server and Redis, syncing always or every second. */
export async function measureFsync(context: BenchContext): Promise<FigureReport> {
  const { product, seconds } = context;
  const sale = await openBenchSale(1_000_000_000);
  const busy: number[] = [];
  const contestant = (policy: string) => ({
    name: policy,
    run: async () => {
      await stockRedis().config('SET', 'appendfsync', policy);
      const count = Math.ceil(FAST_PATH_PER_SECOND * seconds);
      const fromUser = context.takeUsers(count);
      const source = { kind: 'purchases', targets: [sale], fromUser, count, isCyclic: false } as const;
      const rate = await measureRate(context, product.fastPath.port, source, 202);
      busy.push(rate.result.busy);
      return rate.perSecond;
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
