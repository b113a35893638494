import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { type Figure, PLENTY, selling } from '../bench-context';
import { contest } from '../contest';
import { openBenchSale } from '../stack/sales';

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
export const measureLimits: Figure = async (context) =>
  contest(
    context,
    {
      limited: selling(context, [await openBenchSale(PLENTY, { limits: LIMITS })]),
      free: selling(context, [await openBenchSale(PLENTY)]),
    },
    [
      {
        figure: 'purchases accepted/s, limits for users, addresses and interface : none',
        ours: 'limited',
        theirs: 'free',
        target: { atLeast: TARGET },
      },
    ],
    ['all are counted in the purchase script; all purchases come from one address.'],
  );
