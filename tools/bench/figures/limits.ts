import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { type BenchSale, dropBenchSale, openBenchSale } from '../stack/sales';
import { FAST_PATH_PER_SECOND } from './purchase';

const STOCK = 1_000_000_000;
const TARGET = 0.92;
/** All three limits, wide enough to let every purchase through. Sliding windows, because they cost Redis the most time. */
const LIMITS: SaleLimits = {
  user: { algorithm: 'sliding-window', limit: 5, windowSec: 60 },
  ip: { algorithm: 'sliding-window', limit: 1_000_000, windowSec: 10 },
  interface: { algorithm: 'sliding-window', limit: 1_000_000, windowSec: 10 },
};

/**
 * Measures accepted purchases per second of a sale that limits users, addresses and the interface, against a sale
 * without limits.
 */
export async function measureLimits(context: BenchContext): Promise<FigureReport> {
  const { product, seconds } = context;
  const [limited, free] = [await openBenchSale(STOCK, { limits: LIMITS }), await openBenchSale(STOCK)];
  const busy: number[] = [];
  const contestant = (name: string, sale: BenchSale) => ({
    name,
    run: async () => {
      const count = Math.ceil(FAST_PATH_PER_SECOND * seconds);
      const fromUser = context.takeUsers(count);
      const source = { kind: 'purchases', targets: [sale], fromUser, count, isCyclic: false } as const;
      const rate = await measureRate(context, product.fastPath.port, source, 202);
      busy.push(rate.result.busy);
      return rate.perSecond;
    },
  });
  try {
    const samples = await alternate(context.rounds, [
      contestant('limited', limited),
      contestant('free', free),
    ]);
    return {
      name: 'limits',
      samples,
      rows: [
        ratioRow({
          figure: 'purchases accepted/s, limits for users, addresses and interface : none',
          ours: samples.limited ?? [],
          theirs: samples.free ?? [],
          target: { atLeast: TARGET },
        }),
      ],
      notes: [
        'all are counted in the purchase script; all purchases come from one address.',
        ...generatorNote(busy),
      ],
    };
  } finally {
    await Promise.all([dropBenchSale(limited), dropBenchSale(free)]);
  }
}
