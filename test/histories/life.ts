import { takeOlder } from '@/lib/accepted/accepted-memory';
import { db } from '@/lib/db/client';
import { guardStock } from '@/lib/loading/guard-stock';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { refundPart } from '@/lib/order/admin/refund-part';
import { cancelOrder } from '@/lib/order/cancel-order';
import { readAccepted } from '@/lib/outbox/read-accepted';
import { relayMessages } from '@/lib/outbox/relay-messages';
import type { RelayEvent } from '@/lib/outbox/types';
import { applyPaymentEvent } from '@/lib/payment/apply-payment-event';
import { askLatePayments } from '@/lib/payment/ask-provider';
import { payOrder } from '@/lib/payment/pay-order';
import { releaseDue } from '@/lib/payment/release-unpaid';
import { returnMoney } from '@/lib/payment/return-money';
import { sweep } from '@/lib/payment/sweep';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { charge } from '@/lib/purchase/testing/pay-for';
import { makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { reconcileSale } from '@/lib/reconcile/reconcile-sale';
import { stockRedis } from '@/lib/redis/client';
import { editSale } from '@/lib/sale/admin/edit-sale';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { compensateOrders } from '@/lib/settlement/compensate-orders';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { createOrders } from '@/lib/settlement/create-orders';
import { stocksAt } from '@/lib/slice/numbers/slices-of';
import { clearSoldOut } from '@/lib/stock/sold-out-flag';
import type { Random } from '@/tools/harness/random';
import { aside } from './faults';
import { pickOrder, press, pressAgain, tokenFor, type World } from './world';

/** Takes one step of a history. @returns a word for the trail; null: there was nothing to do */
export type Step = (world: World, random: Random) => Promise<unknown>;
/** Steps by name, each with how often it comes beside the others. */
export type Steps = Record<string, readonly [weight: number, step: Step]>;

/** The shoppers' steps at a sale that anybody may enter. @param variants that they press for; 0: the sale has none */
export const pressing = (variants: readonly number[]): Steps => ({
  press: [
    16,
    async (world, random) => {
      const sale = random.pick(world.sales);
      const token = tokenFor(random.pick(world.userIds), sale);
      return press(world, sale, token, random.int(1, 2), random.pick(variants));
    },
  ],
  'press again': [3, repeatPress],
});
export const PRESSING = pressing([0]);

export async function repeatPress({ presses }: World, random: Random): Promise<string | null> {
  return presses.length === 0 ? null : pressAgain(random.pick(presses));
}

/** The life of an order, whatever the sale, with what merchants and workers do meanwhile. */
export const LIFE: Steps = {
  deliver: [6, deliver],
  'deliver late': [3, deliverLate],
  'give up': [1, giveUp],
  pay: [5, (world, random) => pay(world, random)],
  'pay another amount': [1, (world, random) => pay(world, random, { amountMinor: random.int(1, 3_000) })],
  'call back': [6, callBack],
  ask: [2, async () => (await askNow()) || null],
  cancel: [5, cancel],
  expire: [6, expire],
  refund: [3, refund],
  'refund a part': [3, refundSome],
  relay: [4, async (world) => ((await relay(world)) === 'sent' ? 'sent' : null)],
  handle: [5, handle],
  sweep: [4, sweepLater],
  guard: [2, async () => (await guardStock()).join() || null],
  reconcile: [2, ({ sales }, random) => reconcile(random.pick(sales).saleId)],
  restock: [
    1,
    (world, random) =>
      change(world, random, (sale) => restockSale(sale.merchant, sale.saleId, random.pick([-1, 1]))),
  ],
  pause: [
    1,
    (world, random) => change(world, random, (sale) => setSalePaused(sale.merchant, sale.saleId, true)),
  ],
  resume: [
    1,
    (world, random) => change(world, random, (sale) => setSalePaused(sale.merchant, sale.saleId, false)),
  ],
  'move the end': [1, moveEnd],
  'lose Redis': [4, () => aside(() => stockRedis().flushdb())],
  'start anew': [3, startAnew],
};

type Sale = World['sales'][number];

const change = async ({ sales }: World, random: Random, verb: (sale: Sale) => Promise<{ status: string }>) =>
  (await verb(random.pick(sales))).status;

/** Writes what waits in an outbox; a copy may be delivered at any time. */
async function deliver({ sales, batches }: World, random: Random): Promise<number | null> {
  const { saleId } = random.pick(sales);
  const stocks = await aside(async () => stocksAt(saleId));
  const orders = (await aside(() => Promise.all(stocks.map(readAccepted)))).flat();
  if (orders.length === 0) return null;
  batches.push({ saleId, orders });
  return drainOutbox(saleId);
}

async function deliverLate({ batches }: World, random: Random): Promise<string | null> {
  if (batches.length === 0) return null;
  return `${(await createOrders(random.pick(batches))).orderNos.length} wait for payment`;
}

/** Why a history itself gives a purchase up. */
export const REFUSED = 'refused';

/** The executor refuses an order for good, and the relay says so. */
async function giveUp({ batches }: World, random: Random): Promise<number | null> {
  if (batches.length === 0) return null;
  return (await compensateOrders(random.pick(batches), REFUSED, 'relay')).length;
}

/** A page of the provider that was opened in time takes money at any time. */
async function pay(
  world: World,
  random: Random,
  other: { amountMinor?: number } = {},
): Promise<string | null> {
  const order = await pickOrder(world, random, ['pending_payment', 'cancelled', 'paid']);
  if (!order) return null;
  const { status } = await payOrder(order.userId, order.orderNo);
  if (status !== 'payable' && !order.payment?.openedAt) return null;
  const event = await aside(() => charge(order.orderNo, other));
  // It takes money for an order once, and its callbacks say what its books do.
  const { amountMinor, currency } = await aside(() =>
    db().sandboxPayment.findUniqueOrThrow({ where: { paymentId: event.paymentId } }),
  );
  world.callbacks.push({ event: { ...event, amountMinor, currency }, isTold: false });
  return `${order.status}, paid`;
}

async function callBack({ callbacks }: World, random: Random): Promise<string | null> {
  if (callbacks.length === 0) return null;
  const callback = random.pick(callbacks);
  const outcome = await applyPaymentEvent('sandbox', callback.event);
  callback.isTold = true;
  return outcome;
}

/** Asks the provider about every payment that it will be asked about, as if the time had come. */
export async function askNow(): Promise<number> {
  await aside(
    () => db().$executeRaw`UPDATE payments SET next_query_at = now() WHERE next_query_at IS NOT NULL`,
  );
  return (await askLatePayments()).applied;
}

async function cancel(world: World, random: Random): Promise<string | null> {
  const order = await pickOrder(world, random, ['pending_payment']);
  return order ? (await cancelOrder(order.userId, order.orderNo)).status : null;
}

async function expire(world: World, random: Random): Promise<unknown> {
  const order = await pickOrder(world, random, ['pending_payment']);
  if (!order) return null;
  await aside(() => makeOverdue([order.orderNo], 10));
  return (await releaseDue([order.saleId])).cancelled;
}

async function refund(world: World, random: Random): Promise<string | null> {
  const order = await pickOrder(world, random, ['paid']);
  const sale = world.sales.find(({ saleId }) => saleId === order?.saleId);
  if (!order || !sale) return null;
  const returnStock = random.chance(0.7);
  return (await refundOrder(sale.merchant, order.orderNo, { reason: 'broken', returnStock })).status;
}

async function refundSome(world: World, random: Random): Promise<string | null> {
  const order = await pickOrder(world, random, ['paid', 'refunded']);
  const sale = world.sales.find(({ saleId }) => saleId === order?.saleId);
  if (!order || !sale) return null;
  const wish = {
    amountMinor: random.int(1, order.amountMinor),
    reason: 'scratched',
    requestId: `request-${random.int(1, 3)}`,
  };
  return (await refundPart(sale.merchant, order.orderNo, wish)).status;
}

/** Hands messages over to the executor. */
export async function relay({ events }: World): Promise<string> {
  const send = async (event: RelayEvent) => void events.push({ event, isDone: false });
  return (await relayMessages(send)).status;
}

type Messages = (Parameters<typeof confirmPaid>[0][number] & { paymentId: string })[];

/** Runs the function of an event; it may have run before. */
export async function runEvent(one: World['events'][number]): Promise<void> {
  const { name, data } = one.event;
  const messages = data.messages as Messages;
  if (name === 'orders/paid') await confirmPaid(messages);
  if (name === 'payments/late') await returnMoney(messages);
  one.isDone = true;
}

async function handle({ events }: World, random: Random): Promise<string | null> {
  if (events.length === 0) return null;
  const one = random.pick(events);
  await runEvent(one);
  return one.event.name;
}

/** Sweeps as if a minute had passed. */
export async function sweepLater(): Promise<number> {
  await aside(
    () =>
      db()
        .$executeRaw`UPDATE orders SET updated_at = now() - interval '1 minute' WHERE stock_settled_at IS NULL`,
  );
  await aside(
    () =>
      db()
        .$executeRaw`UPDATE payments SET updated_at = now() - interval '2 minutes' WHERE status = 'refund_due'`,
  );
  await aside(
    () =>
      db().$executeRaw`UPDATE refund_parts SET asked_at = now() - interval '2 minutes' WHERE sent_at IS NULL`,
  );
  await aside(
    () =>
      db()
        .$executeRaw`UPDATE dead_letters SET created_at = now() - interval '1 minute' WHERE released_at IS NULL`,
  );
  return (await sweep()).settled;
}

/** Reconciles without a grace: a process that stands still does so for longer than any. */
export async function reconcile(saleId: string): Promise<string> {
  const result = await reconcileSale(saleId, { cause: 'schedule', isRepairing: true, graceMs: 0 });
  if (result.status !== 'done') return result.status;
  return result.report.differences.map(({ kind, outcome }) => `${kind} ${outcome}`).join(', ') || 'clean';
}

async function moveEnd(world: World, random: Random): Promise<string> {
  return change(world, random, async ({ merchant, saleId }) => {
    const row = await aside(() => db().sale.findUniqueOrThrow({ where: { id: saleId } }));
    return editSale(merchant, saleId, { version: row.version, endsAt: row.endsAt.getTime() + 60_000 });
  });
}

/** All processes start anew: what they remembered is gone. */
function startAnew({ sales }: World): Promise<void> {
  return aside(async () => {
    for (const { saleId } of sales) {
      for (const stockId of await stocksAt(saleId)) takeOlder(stockId, Number.MAX_SAFE_INTEGER);
      clearSoldOut(saleId);
      await forgetSaleInfo(saleId);
    }
  });
}
