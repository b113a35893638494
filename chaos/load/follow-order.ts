import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask';
import type { Charge } from './ledger';
import type { Token, Visit } from './shopper';
import { ownHeaders, sessionCookie } from './sign-in';

const POLL_MS = 300;
const ENDED = new Set(['paid', 'cancelled', 'failed', 'refunded']);

type Seen = { status: string; charge: Charge };

/** What a shopper does with an order: waits for it, pays or not, and looks what became of it. */
export async function followOrder(shopper: Visit, token: Token, orderNo: string): Promise<void> {
  const { plan, provider, closesAt } = shopper;
  const order = await untilStatus(shopper, token, orderNo, (status) => status !== 'queued');
  if (order?.status !== 'pending_payment') return;
  const pay = () => provider.charge(order.charge, plan.callbacks, plan.otherCallbacks);
  switch (plan.payment) {
    case 'pays':
      pay();
      break;
    case 'declines_then_pays':
      provider.tell('payment.failed', order.charge);
      await sleep(POLL_MS);
      pay();
      break;
    case 'pays_wrong_amount':
      provider.tell('payment.succeeded', { ...order.charge, amountMinor: order.charge.amountMinor - 1 });
      return;
    case 'cancels':
      await cancel(shopper, orderNo);
      break;
    case 'pays_late':
      // Before or after the order is cancelled: both happen.
      await sleep(Math.min(shopper.sale.paymentWindowMs, Math.max(0, closesAt - Date.now())));
      pay();
      break;
    case 'never_pays':
      return;
  }
  await untilStatus(shopper, token, orderNo, (status) => ENDED.has(status));
}

/** Looks until the order is as expected, or everybody goes home. */
async function untilStatus(
  shopper: Visit,
  token: Token,
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

async function look(shopper: Visit, { entryToken }: Token, orderNo: string): Promise<Seen | null> {
  const { origin } = shopper.random.pick(shopper.webs);
  const reply = await ask(`${origin}/api/orders/${orderNo}`, { headers: { 'x-entry-token': entryToken } });
  if (reply.kind === 'unanswered') return null;
  const { askedAt, answeredAt, body, httpStatus } = reply;
  const status =
    httpStatus === 200 ? String(body.status) : httpStatus === 404 ? 'unknown' : `refused ${httpStatus}`;
  shopper.ledger.statuses.push({ askedAt, answeredAt, orderNo, status });
  if (httpStatus !== 200) return null;
  const amountMinor = Number(body.amountMinor);
  const charge = { paymentId: `pay_${orderNo}`, orderNo, amountMinor, currency: String(body.currency) };
  return { status, charge };
}

async function cancel({ webs, random, userId }: Visit, orderNo: string): Promise<void> {
  const { origin } = random.pick(webs);
  const cookie = await sessionCookie(userId).catch(() => null);
  // Nobody signs in while Postgres is down.
  if (cookie === null) return;
  const headers = ownHeaders(cookie, origin);
  await ask(`${origin}/api/orders/${orderNo}/cancel`, { method: 'POST', headers, body: '{}' });
}
