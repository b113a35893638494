import 'server-only';
import type { LineState } from '@/lib/contract/shapes/line';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { isOutage } from '@/lib/errors/is-outage';
import { findLine } from '@/lib/line/records/find-line';
import { paceOf } from '@/lib/line/records/pace';
import { type Stock, UNLIMITED } from '@/lib/stock/types';

/** Usually a line is as old as a quarter of a second; the clocks of Redis and Postgres may differ a little. */
const POSTGRES_AWAY_AFTER_MS = 5_000;

/**
 * Returns what everybody may know of a sale's line; null while Postgres is away and this process knows nothing of it.
 * @param stock as it is now: what is held may come back
 */
export async function showLine(
  { saleId }: Pick<SaleInfo, 'saleId'>,
  { available, held: heldUnits, serverTime }: Pick<Stock, 'available' | 'held' | 'serverTime'>,
): Promise<LineState | null> {
  const line = await findLine(saleId).catch((error: unknown) => {
    if (isOutage(error)) return null;
    throw error;
  });
  if (!line) return null;
  const { seedHash, shuffledWith, joined, left, early, admitted, lapsed, steps, readAt } = line;
  return {
    seedHash,
    shuffledWith,
    joined: joined - left,
    early,
    admitted,
    lapsed,
    pace: paceOf(steps, readAt),
    reach: available === UNLIMITED ? -1 : available + heldUnits,
    held: line.held && !line.opened,
    closed: line.closed,
    isAway: serverTime - readAt > POSTGRES_AWAY_AFTER_MS,
  };
}
