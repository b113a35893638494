import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { Live } from '@/lib/contract/shapes/live';
import { unlessOutage } from '@/lib/errors/unless-outage';
import { recentVerification } from '../verify/recent-verification';
import type { SaleRow } from './read-situation';

type Invariants = Pick<Live, 'invariants' | 'verifiedAt'>;

/** A verification under way may wait seconds for a difference to come right; the other figures don't wait with it. */
const PATIENCE_MS = 200;
const NONE: Invariants = { invariants: [], verifiedAt: null };

/**
 * The invariants as they were recomputed last, and when. Only who asks for the first time waits until they are.
 * @param before what was known a second ago
 */
export async function readInvariants({ id, status }: SaleRow, before: Live | null): Promise<Invariants> {
  if (status === 'draft') return NONE;
  const reading = recentVerification(id).then((verification): Invariants => {
    if (!verification) return NONE;
    const invariants = verification.invariants.map(({ name: _, ...result }) => result);
    return { invariants, verifiedAt: verification.checkedAt };
  });
  // While Redis is away they can't be recomputed, and nothing is green.
  if (!before) return unlessOutage(reading, NONE);
  const { invariants, verifiedAt } = before;
  // Whoever looks meanwhile sees how old they are; a failure shows as that, too.
  return Promise.race([
    reading.catch(() => ({ invariants, verifiedAt })),
    delay(PATIENCE_MS, { invariants, verifiedAt }),
  ]);
}
