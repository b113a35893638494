import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { Live } from '@/lib/contract/shapes/live';
import { unlessOutage } from '@/lib/errors/unless-outage';
import { limitMs } from '@/lib/time-limits';
import { recentVerification } from '@/lib/verify/recent-verification';
import type { SaleRow } from './read-situation';

type Invariants = Pick<Live, 'invariants' | 'verifiedAt'>;

const NONE: Invariants = { invariants: [], verifiedAt: null };

/**
 * Returns the last computed invariants, and when that was. Only the first call waits for them, up to 8 s.
 * @param before the figures of a second ago
 */
export async function readInvariants({ id, status }: SaleRow, before: Live | null): Promise<Invariants> {
  if (status === 'draft') return NONE;
  const reading = recentVerification(id).then((verification): Invariants => {
    if (!verification) return NONE;
    const invariants = verification.invariants.map(({ name: _, ...result }) => result);
    return { invariants, verifiedAt: verification.checkedAt };
  });
  // While Redis is away the invariants can't be computed, so none shows as green.
  if (!before) return unlessOutage(Promise.race([reading, delay(limitMs('firstInvariants'), NONE)]), NONE);
  const { invariants, verifiedAt } = before;
  // Until then the reader sees how old they are; a failure shows in the same way.
  return Promise.race([
    reading.catch(() => ({ invariants, verifiedAt })),
    delay(limitMs('invariants'), { invariants, verifiedAt }),
  ]);
}
