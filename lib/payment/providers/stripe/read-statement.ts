import 'server-only';
import type Stripe from 'stripe';
import { nowMs } from '@/lib/clock';
import type { StatementLine, StatementPage } from '../provider';
import { reachStripe } from './reach-stripe';
import { heldOf } from './state-of';

const LINES = 500;
const PAGE = 100;
const DAY_SEC = 86_400;
const CURSOR = /^(\d{1,12}) (\d{1,12})$/;

/**
 * Returns one page of the money that Stripe took since `sinceMs` (epoch ms), in the order it came to the balance.
 * Stripe lists the newest first, so this reads spans of time, which grow where little happened and shrink where
 * more than a page did. Leaves out what this shop has not opened. @throws ProviderFault
 */
export async function readStatement(sinceMs: number, after = ''): Promise<StatementPage> {
  const [, from = String(Math.floor(sinceMs / 1_000)), width = String(DAY_SEC)] = CURSOR.exec(after) ?? [];
  const now = Math.floor(nowMs() / 1_000) + 1;
  let span = Number(width);
  for (;;) {
    const until = Math.min(Number(from) + span, now + 1);
    const found = await readSpan(Number(from), until, span > 1);
    if (found === null) {
      span = Math.max(1, Math.floor(span / 4));
      continue;
    }
    const lines = found.map(toLine).filter((line) => line !== null);
    lines.sort((a, b) => a.at - b.at || (a.paymentId < b.paymentId ? -1 : 1));
    const next = found.length < PAGE ? span * 4 : span;
    return { lines, next: until > now ? null : `${until} ${next}` };
  }
}

/** @returns what came from `from` until before `until` (epoch s); null if it is more than one page may have */
async function readSpan(
  from: number,
  until: number,
  isBounded: boolean,
): Promise<Stripe.BalanceTransaction[] | null> {
  const found: Stripe.BalanceTransaction[] = [];
  for (let after: string | undefined; ; ) {
    const { data, has_more } = await reachStripe((stripe) =>
      stripe.balanceTransactions.list({
        created: { gte: from, lt: until },
        limit: PAGE,
        expand: ['data.source'],
        ...(after === undefined ? {} : { starting_after: after }),
      }),
    );
    found.push(...data);
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) return found;
    if (isBounded && found.length >= LINES) return null;
  }
}

/** `charge` is a card, `payment` any other way to pay. */
function toLine({ type, source, created }: Stripe.BalanceTransaction): StatementLine | null {
  if ((type !== 'charge' && type !== 'payment') || source === null || typeof source === 'string') return null;
  const charge = source as Stripe.Charge;
  const paymentId = charge.metadata?.paymentId;
  if (!paymentId) return null;
  return { paymentId, ...heldOf(charge), at: created * 1_000 };
}
