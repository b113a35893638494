import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote } from '../bench-context';
import { measurePurchases } from '../measure-purchases';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { type BenchSale, dropBenchSale, openBenchSale } from '../stack/sales';

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
  const [limited, free] = [await openBenchSale(STOCK, { limits: LIMITS }), await openBenchSale(STOCK)];
  const busy: number[] = [];
  const contestant = (name: string, sale: BenchSale) => ({
    name,
    run: () => measurePurchases(context, { targets: [sale], busy }),
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
