import 'server-only';
import { nowMs } from '@/lib/clock';
import type { Check } from '@/lib/contract/shapes/preflight';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { ADMISSIONS, STRATEGIES } from '@/lib/contract/words/sale';
import type { Capability } from '@/lib/metrics/capabilities';
import { readPublished } from '@/lib/metrics/read-published';
import { failed, passed } from './make-check';

/** Processes publish every 5 s; one that missed three times in a row has ended. */
const ALIVE_MS = 15_000;

type Needing = Pick<SaleInfo, 'slices' | 'strategy' | 'waitlist' | 'admission' | 'campaign' | 'variants'>;

/** Returns the abilities that every process needs while such a sale runs. */
const neededBy = ({ slices, strategy, waitlist, admission, campaign, variants }: Needing): Capability[] => [
  ...(slices > 1 ? ['slices' as const] : []),
  ...(STRATEGIES[strategy].isQueued ? ['queue' as const] : []),
  ...(campaign?.limitPerUser ? ['campaigns' as const] : []),
  ...(waitlist ? ['waitlist' as const] : []),
  ...(ADMISSIONS[admission].hasLine ? ['lines' as const] : []),
  ...(variants.length > 0 ? ['variants' as const] : []),
  ...(variants.length > 0 && waitlist ? ['wishes' as const] : []),
];

/**
 * Checks that every running process can sell such a sale. One of the release before would sell a split sale in the first slice
 * alone, let everybody into a waiting room, give no unit on, sell a variant that is gone, or not know the wish: it
 * forbids to publish. So does an unreachable Redis: nobody knows which processes run.
 */
export async function checkRelease(sale: Needing): Promise<Check> {
  const needed = neededBy(sale);
  if (needed.length === 0) return passed('release', 'Every release that may run can sell this sale.');
  try {
    const since = nowMs() - ALIVE_MS;
    const old = (await readPublished()).filter(
      ({ at, capabilities }) => at > since && !needed.every((one) => capabilities?.includes(one)),
    );
    if (old.length === 0) return passed('release', 'Every running process can sell this sale.');
    const names = old.map(({ role, host, id }) => `${role} ${host}/${id}`).join(', ');
    const detail = `These processes are of a release that can't sell this sale (${needed.join(', ')}): ${names}.`;
    return failed('stop', 'release', 'old', detail, { processes: old.length });
  } catch {
    return failed('stop', 'release', 'unknown', 'Redis can’t say which processes run.');
  }
}
