import 'server-only';
import type { Db } from '@/lib/db/client';
import { paymentKey } from '@/lib/ids/payment-key';
import type { PaymentStatus } from './types';

export type LockedPayment = {
  id: string;
  shard: number;
  order_id: bigint;
  amount_minor: number;
  currency: string;
  parts_minor: number;
  status: PaymentStatus;
};

/** Locks a payment until the transaction ends: callbacks for the same payment take turns. */
export async function lockPayment(
  tx: Db,
  provider: string,
  paymentId: string,
): Promise<LockedPayment | null> {
  const { shard, orderId } = paymentKey(paymentId);
  const rows = await tx.$queryRaw<LockedPayment[]>`
    SELECT id, shard, order_id, amount_minor, currency, parts_minor, status FROM payments
    WHERE shard = ${shard} AND order_id = ${orderId} AND provider = ${provider} FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}
