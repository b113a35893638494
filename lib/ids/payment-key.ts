import { orderKey } from './order-key';
import { orderNoOf } from './order-no-of';

/**
 * Returns the primary key of a payment, which its id names: it lies in the same partition as its order. A statement that names
 * the shard reads one partition. For an id that is none of ours, a key that no payment has.
 */
export function paymentKey(paymentId: string): { shard: number; orderId: bigint } {
  const { shard, id: orderId } = orderKey(orderNoOf(paymentId) ?? 0n);
  return { shard, orderId };
}

/** Returns the numbers of the orders that these payments belong to, each once; leaves out ids that are none of ours. */
export const orderNosOf = (paymentIds: readonly string[]): string[] => [
  ...new Set(paymentIds.flatMap((paymentId) => orderNoOf(paymentId) ?? [])),
];
