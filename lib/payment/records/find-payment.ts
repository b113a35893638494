import 'server-only';
import { db } from '@/lib/db/client';
import { itemName } from '@/lib/human-text';
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

const SALE = { title: true, variants: { select: { number: true, name: true } } } as const;

/** Returns a payment with what it pays for (the sale's title, with the variant), or null. */
export async function findPayment(paymentId: string): Promise<StoredPayment | null> {
  const row = await db().payment.findUnique({
    where: { shard_orderId: paymentKey(paymentId) },
    include: { order: { select: { saleId: true, variant: true, sale: { select: SALE } } } },
  });
  if (!row) return null;
  const { saleId, variant, sale } = row.order;
  return {
    paymentId: row.id,
    orderNo: String(row.orderId),
    amountMinor: row.amountMinor,
    currency: row.currency,
    provider: row.provider,
    status: row.status as PaymentStatus,
    partsMinor: row.partsMinor,
    saleId,
    title: itemName(sale.title, sale.variants.find(({ number }) => number === variant)?.name ?? null),
  };
}
