import 'server-only';
import type Stripe from 'stripe';
import { reachStripe } from './reach-stripe';

/** Stripe takes so many conditions in one search. */
const IDS = 10;
const SAFE = /^[\w-]{1,200}$/;

/**
 * Finds the charges of payments whose session we don't know: rows that a restored database lacks. Stripe's search may
 * be a minute behind. @throws Stripe's errors
 */
export async function searchCharges(paymentIds: readonly string[]): Promise<Map<string, Stripe.Charge>> {
  const asked = paymentIds.filter((id) => SAFE.test(id));
  const found = new Map<string, Stripe.Charge>();
  for (let from = 0; from < asked.length; from += IDS) {
    const wanted = asked.slice(from, from + IDS);
    const query = `(${wanted.map((id) => `metadata['paymentId']:'${id}'`).join(' OR ')}) AND status:'succeeded'`;
    const { data } = await reachStripe((stripe) => stripe.charges.search({ query, limit: 100 }));
    for (const charge of data) {
      const id = charge.metadata.paymentId;
      if (id !== undefined) found.set(id, charge);
    }
  }
  return found;
}
