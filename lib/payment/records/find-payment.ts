import 'server-only';
import { toLocale } from '@/lib/account/user-locale';
import type { SaleTitles } from '@/lib/contract/shapes/by-language';
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

const SALE = { title: true, titles: true, variants: { select: { number: true, name: true } } } as const;

/** Returns a payment with what it pays for (the sale's title in the buyer's language, with the variant), or null. */
export async function findPayment(paymentId: string): Promise<StoredPayment | null> {
  const row = await db().payment.findUnique({
    where: { shard_orderId: paymentKey(paymentId) },
    include: {
      order: {
        select: { saleId: true, variant: true, sale: { select: SALE }, user: { select: { locale: true } } },
      },
    },
  });
  if (!row) return null;
  const { saleId, variant, sale, user } = row.order;
  const title = (sale.titles as SaleTitles)[toLocale(user.locale)] ?? sale.title;
  return {
    paymentId: row.id,
    orderNo: String(row.orderId),
    amountMinor: row.amountMinor,
    currency: row.currency,
    provider: row.provider,
    status: row.status as PaymentStatus,
    partsMinor: row.partsMinor,
    saleId,
    title: itemName(title, sale.variants.find(({ number }) => number === variant)?.name ?? null),
  };
}
