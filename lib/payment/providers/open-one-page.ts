import 'server-only';
import { nowMs } from '@/lib/clock';
import { env } from '@/lib/env';
import type { PaymentRef } from '@/lib/payment/records/types';
import { findPayment } from '../records/find-payment';
import type { KeptPages, PageRow } from './kept-pages';
import { ProviderFault } from './provider-fault';

/** A provider's pages to pay on. A page without an address takes no more payers: one has paid, or is about to. */
type Checkout = {
  pages: KeptPages;
  /** How long after it was first asked for a page may still be made, ms: as long as the provider knows the key. */
  madeWithinMs: number;
  /** Reads a page. `isOver`: it takes no money, now or later. */
  read(pageId: string): Promise<{ url: string | null; isOver: boolean }>;
  /** Makes the page of a row. The provider gives the same answer to the same key. */
  make(
    payment: PaymentRef,
    row: PageRow,
    idempotencyKey: string,
  ): Promise<{ pageId: string; createdAt: Date; url: string | null }>;
};

/**
 * Returns a provider's page for a payment: the same one until it takes no money any more, then a new one, so a payment
 * is never taken twice. Returns the order's page once the payment is made.
 * @param returnPath of the order's page
 * @throws ProviderFault if the provider can't say now
 */
export async function openOnePage(
  checkout: Checkout,
  payment: PaymentRef,
  returnPath: string,
): Promise<string> {
  const { pages, madeWithinMs, read } = checkout;
  const returnUrl = new URL(returnPath, env().publicUrl).href;
  const title = (await findPayment(payment.paymentId))?.title ?? payment.orderNo;
  let row = await pages.claim(payment.paymentId, { title, returnUrl });
  const renew = () => pages.replace(row, { title, returnUrl });
  const page = row.pageId === null ? null : await read(row.pageId);
  if (page && !page.isOver) return page.url ?? returnUrl;
  if (page || nowMs() - row.claimedAt.getTime() > madeWithinMs) row = await renew();
  try {
    return await open(checkout, payment, row);
  } catch (error) {
    // A provider gives a fault of its own again to everybody who has the same key.
    if (error instanceof ProviderFault && (error.status ?? 0) >= 500) await renew();
    throw error;
  }
}

/** Two calls at once, or one after a lost answer, get the same page: they have the same idempotency key. */
async function open({ pages, make }: Checkout, payment: PaymentRef, row: PageRow): Promise<string> {
  const { url, ...made } = await make(payment, row, `${payment.paymentId} ${row.attempt}`);
  if (!(await pages.keep(row, made)) || !url) throw new Error(`${made.pageId} is no page to pay on any more`);
  return url;
}
