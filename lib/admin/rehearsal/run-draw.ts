import 'server-only';
import { randomBytes } from 'node:crypto';
import { serveWaitlist } from '@/lib/checkout/waitlist/serve-waitlist';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { drawOrder } from '@/lib/shuffle/draw-order';
import { weightOf } from '@/lib/shuffle/weight-of';
import { enlistInRedis } from '@/lib/waitlist/enlist-in-redis';
import type { PlannedStander } from './plan-line';
import type { ShadowSale } from './shadow-sale';

/** So many people go in one script. */
const AT_ONCE = 1_000;

/** Somebody's chance: whoever has a unit has it under this order number. */
export type Chance = { userId: string; jti: string; orderNo: string };

/**
 * Draws an order by the sale's weights and puts everybody in line for units on the shadow, which gives them to the first.
 * @returns everybody in the order that was drawn. @throws connection errors; the signal's reason
 */
export async function runDraw(
  sale: Pick<SaleInfo, 'drawWeights'>,
  { saleId, epoch }: Pick<ShadowSale, 'saleId' | 'epoch'>,
  entrants: readonly PlannedStander[],
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<Chance[]> {
  const weights = entrants.map((entrant) => weightOf(sale.drawWeights, entrant));
  const order = await drawOrder(randomBytes(32), weights);
  const chances = Array.from(order, (number, place): Chance => {
    const { userId } = (entrants[number] as PlannedStander).shopper;
    return { userId, jti: `jti_rehearsal${number}`, orderNo: String((place + 1) * 1_024) };
  });
  for (let from = 0; from < chances.length; from += AT_ONCE) {
    signal?.throwIfAborted();
    const { status } = await enlistInRedis({ saleId, epoch }, chances.slice(from, from + AT_ONCE));
    if (status !== 'enlisted') throw new Error(`${saleId} takes nobody into its line: ${status}`);
    await serveWaitlist({ saleId, epoch });
    onProgress(from / chances.length);
  }
  return chances;
}
