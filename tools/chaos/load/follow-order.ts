import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '@/tools/harness/ask';
import type { EntryToken } from '@/tools/harness/issue-entry-token';
import { askAny } from './ask-any';
import type { Charge } from './ledger';
import type { Visit } from './shopper';

const POLL_MS = 300;
const ENDED = new Set(['paid', 'cancelled', 'failed', 'refunded']);

type Seen = { status: string };

/** Follows an order as a shopper: waits for it, goes to pay or not, and looks at its final status. */
export async function followOrder(shopper: Visit, token: EntryToken, orderNo: string): Promise<void> {
  const { plan, provider, closesAt } = shopper;
  const order = await untilStatus(shopper, token, orderNo, (status) => status !== 'queued');
  if (order?.status !== 'pending_payment' || plan.payment === 'never_pays') return;
  if (plan.payment === 'cancels') {
    await askAny(shopper, shopper.userId, `/api/orders/${orderNo}/cancel`);
  } else {
    const page = await openPage(shopper, orderNo);
    if (!page) return;
    const pay = (charge: Charge) => provider.charge(charge, plan.callbacks, plan.otherCallbacks);
    switch (plan.payment) {
      case 'pays':
        pay(page);
        break;
      case 'declines_then_pays':
        provider.tell('payment.failed', page);
        await sleep(POLL_MS);
        pay(page);
        break;
      case 'told_wrong_amount':
        provider.tell('payment.succeeded', { ...page, amountMinor: page.amountMinor - 1 });
        return;
      case 'charged_wrong_amount':
        pay({ ...page, amountMinor: page.amountMinor - 1, isWrong: true });
        break;
      case 'pays_late':
        // This may be before or after the order is cancelled: both happen.
        await sleep(Math.min(shopper.sale.paymentWindowMs, Math.max(0, closesAt - Date.now())));
        pay(page);
        break;
    }
  }
  await untilStatus(shopper, token, orderNo, (status) => ENDED.has(status));
}

/**
 * Goes to the provider's page and reads the amount that it asks for; null if no payment page could be opened before
 * the order ended.
 */
async function openPage(shopper: Visit, orderNo: string): Promise<Charge | null> {
  while (Date.now() < shopper.closesAt) {
    const opened = await askAny(shopper, shopper.userId, `/api/orders/${orderNo}/pay`);
    if (opened.kind === 'answered' && opened.body.code === 'ORDER_NOT_PAYABLE') return null;
    if (opened.kind === 'answered' && opened.httpStatus === 200) {
      const { paymentId, redirectUrl } = opened.body as { paymentId: string; redirectUrl: string };
      const page = await readPage(shopper, paymentId, new URL(redirectUrl, 'http://shop').searchParams);
      if (page) return { ...page, paymentId, orderNo };
    }
    await sleep(POLL_MS);
  }
  return null;
}

async function readPage(
  { webs, random }: Visit,
  paymentId: string,
  query: URLSearchParams,
): Promise<{ amountMinor: number; currency: string } | null> {
  const { origin } = random.pick(webs);
  const reply = await ask(`${origin}/api/payments/sandbox/${paymentId}?token=${query.get('token')}`);
  if (reply.kind === 'unanswered' || reply.httpStatus !== 200) return null;
  return { amountMinor: Number(reply.body.amountMinor), currency: String(reply.body.currency) };
}

/** Looks at the order until it has the expected status, or until the round closes. */
async function untilStatus(
  shopper: Visit,
  token: EntryToken,
  orderNo: string,
  isExpected: (status: string) => boolean,
): Promise<Seen | null> {
  while (Date.now() < shopper.closesAt) {
    const seen = await look(shopper, token, orderNo);
    if (seen && isExpected(seen.status)) return seen;
    await sleep(POLL_MS);
  }
  return null;
}

async function look(shopper: Visit, { entryToken }: EntryToken, orderNo: string): Promise<Seen | null> {
  const { origin } = shopper.random.pick(shopper.webs);
  const reply = await ask(`${origin}/api/orders/${orderNo}`, { headers: { 'x-entry-token': entryToken } });
  if (reply.kind === 'unanswered') return null;
  const { askedAt, answeredAt, body, httpStatus } = reply;
  const status =
    httpStatus === 200 ? String(body.status) : httpStatus === 404 ? 'unknown' : `refused ${httpStatus}`;
  shopper.ledger.statuses.push({ askedAt, answeredAt, orderNo, status });
  return httpStatus === 200 ? { status } : null;
}
