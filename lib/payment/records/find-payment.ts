import 'server-only';
import { db } from '@/lib/db/client';
import { paymentKey } from '@/lib/ids/payment-key';
import type { PaymentRef, PaymentStatus } from './types';

export type StoredPayment = PaymentRef & {
  provider: string;
  status: PaymentStatus;
  /** The sum of the parts that were decided to be refunded, minor units. */
  partsMinor: number;
  saleId: string;
  title: string;
};

/** Returns a payment with what it pays for (the sale's title), or null. */
export async function findPayment(paymentId: string): Promise<StoredPayment | null> {
  const row = await db().payment.findUnique({
    where: { shard_orderId: paymentKey(paymentId) },
    include: { order: { select: { saleId: true, sale: { select: { title: true } } } } },
  });
  if (!row) return null;
  return {
    paymentId: row.id,
    orderNo: String(row.orderId),
    amountMinor: row.amountMinor,
    currency: row.currency,
    provider: row.provider,
    status: row.status as PaymentStatus,
    partsMinor: row.partsMinor,
    saleId: row.order.saleId,
    title: row.order.sale.title,
  };
}
