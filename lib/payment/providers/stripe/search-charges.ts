import 'server-only';
import type Stripe from 'stripe';
import { reachStripe } from './reach-stripe';

/** Stripe takes so many conditions in one search, joined by OR alone. */
const IDS = 10;
const PAGE = 100;
const SAFE = /^[\w-]{1,200}$/;

/**
 * Finds the charges of payments whose session we don't know: rows that a restored database lacks. Stripe's search may
 * be a minute behind. @throws ProviderFault
 */
export async function searchCharges(paymentIds: readonly string[]): Promise<Map<string, Stripe.Charge>> {
  const asked = paymentIds.filter((id) => SAFE.test(id));
  const found = new Map<string, Stripe.Charge>();
  for (let from = 0; from < asked.length; from += IDS) {
    const query = asked
      .slice(from, from + IDS)
      .map((id) => `metadata['paymentId']:'${id}'`)
      .join(' OR ');
    for (const charge of await search(query)) {
      const id = charge.metadata.paymentId;
      // Each declined card is a charge, too.
      if (id !== undefined && charge.paid) found.set(id, charge);
    }
  }
  return found;
}

async function search(query: string): Promise<Stripe.Charge[]> {
  const found: Stripe.Charge[] = [];
  for (let page: string | null | undefined; page !== null; ) {
    const from = page;
    const result = await reachStripe((stripe) =>
      stripe.charges.search({ query, limit: PAGE, ...(from === undefined ? {} : { page: from }) }),
    );
    found.push(...result.data);
    page = result.has_more ? (result.next_page ?? null) : null;
  }
  return found;
}
