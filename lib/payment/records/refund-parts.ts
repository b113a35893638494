import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { paymentKey } from '@/lib/ids/payment-key';
import type { RefundPart } from '@/prisma/generated/client';

/** A part of a payment's money to write. `askedBy`: a user's id. */
type NewPart = Pick<RefundPart, 'saleId' | 'amountMinor' | 'reason' | 'askedBy' | 'requestId'>;

/** Reads the parts of a payment, oldest first. */
export function readParts(tx: Db, paymentId: string): Promise<RefundPart[]> {
  return tx.refundPart.findMany({ where: paymentKey(paymentId), orderBy: { nth: 'asc' } });
}

/**
 * Decides to give back a part of a payment's money. Runs in the transaction that holds the payment's lock.
 * @param nth how many parts there are with this one
 * @returns false if the payment is not paid, or would keep nothing
 */
export async function addPart(tx: Db, paymentId: string, nth: number, part: NewPart): Promise<boolean> {
  const { shard, orderId } = paymentKey(paymentId);
  const { amountMinor } = part;
  const rows = await tx.$executeRaw`
    UPDATE payments SET parts_minor = parts_minor + ${amountMinor}, version = version + 1, updated_at = now()
    WHERE shard = ${shard} AND order_id = ${orderId} AND status = 'succeeded'
      AND ${amountMinor}::bigint + parts_minor < amount_minor`;
  if (rows !== 1) return false;
  await tx.refundPart.create({ data: { shard, orderId, nth, ...part } });
  return true;
}

/** Records that the provider has accepted to send a part. @returns false if it was recorded before */
export async function markPartSent(tx: Db, { shard, orderId, nth }: RefundPart): Promise<boolean> {
  const rows = await tx.$executeRaw`
    UPDATE refund_parts SET sent_at = now()
    WHERE shard = ${shard} AND order_id = ${orderId} AND nth = ${nth} AND sent_at IS NULL`;
  return rows === 1;
}

/** Gives a part that the provider has refused another key, unless another process has. */
export async function renewAttempt({ shard, orderId, nth, attempt }: RefundPart): Promise<void> {
  await db().refundPart.updateMany({
    where: { shard, orderId, nth, attempt, sentAt: null },
    data: { attempt: attempt + 1 },
  });
}
