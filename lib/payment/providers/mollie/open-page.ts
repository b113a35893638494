import 'server-only';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { cutText } from '@/lib/human-text';
import type { PaymentRef } from '@/lib/payment/records/types';
import { isPrivateHost } from '@/lib/setting-kinds';
import { keptPages, type PageRow } from '../kept-pages';
import { openOnePage } from '../open-one-page';
import { toMollie } from './money';
import { reachMollie } from './reach-mollie';
import { readPayment } from './read-payment';
import { isOver } from './state-of';

/** Mollie forgets a key after an hour. */
const MADE_WITHIN_MS = 50 * 60_000;
/** The most characters that Mollie takes. */
const DESCRIPTION = 255;

/** Which payment at Mollie takes a payment's money. */
export const molliePayments = keptPages(() => db().molliePayment);

/**
 * Returns Mollie's page for a payment: the same one until it has expired, failed or was cancelled, then a new one. How
 * long that takes depends on the way to pay: 15 minutes and more.
 */
export const openPage = (payment: PaymentRef, returnPath: string): Promise<string> =>
  openOnePage({ pages: molliePayments, madeWithinMs: MADE_WITHIN_MS, read, make }, payment, returnPath);

async function read(mollieId: string) {
  const payment = await readPayment(mollieId);
  return { url: payment._links.checkout?.href ?? null, isOver: isOver(payment) };
}

async function make(payment: PaymentRef, { title, returnUrl, attempt }: PageRow, idempotencyKey: string) {
  const { paymentId, orderNo } = payment;
  const { publicUrl } = env();
  const { id, createdAt, _links } = await reachMollie((mollie) =>
    mollie.payments.create({
      amount: toMollie(payment),
      description: cutText(`${orderNo} ${title}`, DESCRIPTION),
      redirectUrl: returnUrl,
      // Mollie refuses an address that it can't reach. Without one the worker asks.
      ...(!isPrivateHost(publicUrl) && {
        webhookUrl: new URL('/api/payments/webhooks/mollie', publicUrl).href,
      }),
      metadata: { paymentId, orderNo, attempt },
      idempotencyKey,
    }),
  );
  return { pageId: id, createdAt: new Date(createdAt), url: _links.checkout?.href ?? null };
}
