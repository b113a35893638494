import 'server-only';
import type { ProviderState } from '@/lib/payment/records/types';
import type { KeptPage } from '../kept-pages';
import { readKept } from '../read-kept';
import { listPayments } from './list-payments';
import { molliePayments } from './open-page';
import { readPayment } from './read-payment';
import { type Payment, stateOf } from './state-of';

/** How many pages of the list of payments are read; those not found by then are asked about one by one. */
const PAGES = 20;

/**
 * Returns what Mollie says of these payments; leaves out those it knows nothing of, and those that a restored database
 * does not know: Mollie finds nothing by our ids. The statement finds them.
 * @throws ProviderFault
 */
export async function readStates(paymentIds: readonly string[]): Promise<Map<string, ProviderState>> {
  const found = await readKept(await molliePayments.find(paymentIds), listKept, readPayment);
  return new Map([...found].map(([paymentId, payment]) => [paymentId, stateOf(payment)]));
}

/**
 * Reads the payments that were made from the first of these on: a sale's are close together. Leaves out those with
 * refunds, which the list does not have.
 */
async function listKept(kept: readonly KeptPage[]): Promise<Map<string, Payment>> {
  const [first] = [...kept].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const wanted = new Set(kept.map(({ pageId }) => pageId));
  const found = new Map<string, Payment>();
  let from = first?.pageId;
  for (let page = 0; page < PAGES && wanted.size > 0; page += 1) {
    const payments = await listPayments('asc', from);
    for (const payment of payments)
      if (wanted.delete(payment.id) && !payment._links.refunds) found.set(payment.id, payment);
    from = payments.nextPageCursor;
    if (from === undefined) break;
  }
  return found;
}
