import 'server-only';
import { confirmStock } from '@/lib/stock/confirm-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { readShadow } from './shadow-sale';

const AT_ONCE = 200;
/** Each round a fifth of the units comes back: ten leave one of ten million. */
const ROUNDS = 20;

/**
 * Has everybody who got a unit pay or run out of time; what comes back goes to the next in the same step, who pays or does not
 * in turn. @returns units that were paid for, and that came back
 * @throws connection errors; the signal's reason
 */
export async function settleDraw(
  saleId: string,
  payers: ReadonlySet<string>,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<{ paid: number; released: number }> {
  const settled = new Set<string>();
  let paid = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { owners } = await readShadow(saleId);
    const due = [...owners].filter(([userId]) => !settled.has(userId));
    if (due.length === 0) break;
    for (let from = 0; from < due.length; from += AT_ONCE) {
      signal?.throwIfAborted();
      await Promise.all(
        due.slice(from, from + AT_ONCE).map(async ([userId, orderNo]) => {
          const order = { saleId, userId, orderNo };
          await (payers.has(userId) ? confirmStock(order) : releaseStock(order));
          settled.add(userId);
          if (payers.has(userId)) paid += 1;
        }),
      );
      onProgress(from / due.length);
    }
  }
  return { paid, released: settled.size - paid };
}
