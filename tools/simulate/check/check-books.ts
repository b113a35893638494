import { keys } from '@/lib/redis/keys';
import { stocksOf } from '@/lib/slice/stock-ids';
import { parseBuyerRecords } from '@/lib/stock/buyer-record';
import type { BuyerRecord } from '@/lib/stock/types';
import type { World } from '../world';
import { checkCampaign } from './check-campaign';
import { checkDraw } from './check-draw';
import { checkLine } from './check-line';
import { checkQueue } from './check-queue';
import { checkSplit } from './check-split';
import { checkWaitlist } from './check-waitlist';
import type { Violate } from './violate';

type Held = BuyerRecord & { userId: string };

const EXPECTED = {
  pending_payment: 'held',
  paid: 'sold',
  cancelled: 'released',
  failed: 'released',
  refunded: 'released',
} as const;
const sum = (units: readonly number[]) => units.reduce((all, each) => all + each, 0);

/**
 * Compares the stores, the provider's books and the answers given to shoppers, by the eight invariants.
 * @returns the contradictions. While work is under way, they need not mean an error.
 */
export function checkBooks(world: World): string[] {
  const problems: string[] = [];
  const violate: Violate = (rule, problem) => void problems.push(`${rule}: ${problem}`);
  for (const saleId of world.saleIds)
    for (const check of [checkCounters, checkPurchases, checkLimits]) check(world, saleId, violate);
  const checks = [
    checkReports,
    checkAnswers,
    checkMoney,
    checkWaitlist,
    checkLine,
    checkDraw,
    checkQueue,
    checkCampaign,
    checkSplit,
  ];
  for (const check of checks) check(world, violate);
  return problems;
}

function records({ redis, slices }: World, saleId: string): Held[] {
  const buyers = stocksOf(saleId, slices).flatMap((stockId) => [...(redis.hash(keys.buyers(stockId)) ?? [])]);
  return buyers.flatMap(([userId, text]) => parseBuyerRecords(text).map((record) => ({ ...record, userId })));
}

/** Adds up the tiers of all stocks of a sale. */
function tiersOf({ stock, slices }: World, saleId: string) {
  const all = stocksOf(saleId, slices).map((stockId) => stock.tiers(stockId));
  const of = (tier: 'total' | 'available' | 'held' | 'sold') => sum(all.map((tiers) => tiers[tier]));
  return { total: of('total'), available: of('available'), held: of('held'), sold: of('sold') };
}

/** Checks invariants 1 to 3: the counters add up, match the orders, and are the same in Redis and in Postgres. */
function checkCounters(world: World, saleId: string, violate: Violate): void {
  const sale = world.postgres.sales.get(null, saleId);
  const tiers = tiersOf(world, saleId);
  if (!sale) {
    violate(1, 'the sale is gone');
    return;
  }
  const { total, available, held, sold } = tiers;
  if (available + held + sold !== total || Math.min(available, held, sold) < 0) {
    violate(1, `Redis: available ${available} + held ${held} + sold ${sold} ≠ total ${total}`);
  }
  const units = (status: string) =>
    sum(
      world.postgres.orders
        .find(null, (row) => row.saleId === saleId && row.status === status)
        .map(({ quantity }) => quantity),
    );
  if (sale.heldStock !== units('pending_payment')) {
    violate(1, `Postgres counts ${sale.heldStock} held, unpaid orders have ${units('pending_payment')}`);
  }
  if (sale.soldStock !== units('paid')) {
    violate(1, `Postgres counts ${sale.soldStock} sold, paid orders have ${units('paid')}`);
  }
  if (sale.heldStock + sale.soldStock > sale.totalStock) violate(2, `more than ${sale.totalStock} committed`);
  if (held !== sale.heldStock || sold !== sale.soldStock || total !== sale.totalStock) {
    const inPostgres = `held ${sale.heldStock}, sold ${sale.soldStock} of ${sale.totalStock}`;
    violate(3, `Redis has held ${held}, sold ${sold} of ${total}; Postgres ${inPostgres}`);
  }
  const inRecords = (state: string) =>
    sum(
      records(world, saleId)
        .filter((record) => record.state === state)
        .map((record) => record.units),
    );
  if (held !== inRecords('held') || sold !== inRecords('sold')) {
    violate(
      3,
      `Redis has held ${held}, sold ${sold}; its buyers ${inRecords('held')} and ${inRecords('sold')}`,
    );
  }
}

/**
 * Checks invariants 3 and 5: every accepted purchase is one order or is recorded as given up, and its units are in
 * the tier that fits the order's status.
 */
function checkPurchases(world: World, saleId: string, violate: Violate): void {
  const { orders, letters } = world.postgres;
  const byNumber = new Map(records(world, saleId).map((record) => [record.orderNo, record]));
  for (const { orderNo, state } of byNumber.values()) {
    const order = orders.get(null, orderNo);
    const isGivenUp = letters.find(null, (letter) => letter.orderNo === orderNo).length > 0;
    if (!order && !isGivenUp) violate(5, `purchase ${orderNo} (${state}) is neither an order nor given up`);
    if (!order && isGivenUp && state !== 'released')
      violate(3, `${orderNo} was given up, its units are ${state}`);
  }
  const tokens = new Set<string>();
  for (const row of orders.find(null, (order) => order.saleId === saleId)) {
    const { orderNo, status, jti, userId, stockSettledAt } = row;
    const record = byNumber.get(orderNo);
    const isLive = status === 'pending_payment' || status === 'paid';
    if (!record && isLive) violate(5, `order ${orderNo} is ${status}, Redis knows no purchase of it`);
    if (record && record.state !== EXPECTED[status])
      violate(3, `${orderNo} is ${status}, its units are ${record.state}`);
    if (record && (record.jti !== jti || record.units !== row.quantity || record.userId !== userId)) {
      violate(5, `order ${orderNo} is not what was bought`);
    }
    if (tokens.has(jti)) violate(5, `token ${jti} has more than one order`);
    tokens.add(jti);
    if (status === 'pending_payment') violate('rest', `order ${orderNo} still waits for payment`);
    else if (stockSettledAt === null) violate('rest', `${orderNo} is ${status}, which has not reached Redis`);
  }
}

/** Checks that no report to staff about an order's units is open. */
function checkReports({ postgres: { letters } }: World, violate: Violate): void {
  const doubts = letters.find(
    null,
    ({ consumer, isRepaired }) => consumer.startsWith('settle-') && !isRepaired,
  );
  for (const { consumer, error, messageId } of doubts) violate(3, `${consumer} ${messageId}: ${error}`);
}

/** Checks invariant 4: no user has more than the limit. */
function checkLimits(world: World, saleId: string, violate: Violate): void {
  const { limit } = world.profile;
  const live = world.postgres.orders.find(
    null,
    (row) => row.saleId === saleId && (row.status === 'paid' || row.status === 'pending_payment'),
  );
  const units = new Map<string, number>();
  for (const { userId, quantity } of live) units.set(userId, (units.get(userId) ?? 0) + quantity);
  for (const [userId, count] of units) {
    if (count > limit) violate(4, `${userId} has ${count} units, the limit is ${limit}`);
  }
}

/** Checks invariant 6: the answers that shoppers got are true. */
function checkAnswers(world: World, violate: Violate): void {
  const { orders, letters } = world.postgres;
  const numberOf = new Map<string, string>();
  for (const { userId, jti, orderNo, quantity } of world.ledger.accepted) {
    const first = numberOf.get(jti) ?? orderNo;
    // A Redis that came back older answers for a moment before that is noticed, and does not know the tokens used
    // since its copy.
    if (first !== orderNo && world.profile.redisLosses === 0)
      violate(6, `${jti} got order ${first}, then order ${orderNo}`);
    numberOf.set(jti, first);
    const order = orders.get(null, orderNo);
    const isGivenUp = letters.find(null, (letter) => letter.orderNo === orderNo).length > 0;
    if (!order && !isGivenUp) violate(6, `${userId} got a 202 for ${orderNo}, which exists nowhere`);
    if (order && (order.userId !== userId || order.jti !== jti || order.quantity !== quantity)) {
      violate(6, `${orderNo} differs from what ${userId} was told`);
    }
  }
  for (const orderNo of world.ledger.cancelled) {
    const status = orders.get(null, orderNo)?.status;
    if (status !== 'cancelled') violate(6, `${orderNo} was reported as cancelled and is ${status}`);
  }
  for (const orderNo of world.ledger.refunded) {
    const status = orders.get(null, orderNo)?.status;
    if (status !== 'refunded') violate(6, `${orderNo} was reported as refunded and is ${status}`);
  }
}

/**
 * Checks invariants 7 and 8, by the books of the provider. Every shopper who paid has either the order or the money
 * back, never both. An order ends because of wrong money only where the provider took other money than its page had
 * asked for.
 */
function checkMoney(world: World, violate: Violate): void {
  const { orders, payments, letters, events } = world.postgres;
  for (const { id, orderNo, status, amountMinor, currency, takenMinor, takenCurrency } of payments.find(
    null,
    () => true,
  )) {
    const order = orders.get(null, orderNo);
    const account = world.provider.accounts.get(id);
    const hasPaid = account?.outcome === 'succeeded';
    const isReturned = hasPaid && account.refundedAt !== null;
    const told = `${orderNo} is ${order?.status}, its payment ${status}`;
    if (order?.status === 'paid' && (!hasPaid || isReturned || status !== 'succeeded')) {
      violate(7, `${told}; money ${hasPaid ? (isReturned ? 'returned' : 'here') : 'never came'}`);
    }
    if (order?.status !== 'paid' && hasPaid && !isReturned) violate(7, `${told}; the money was not returned`);
    if (isReturned && status !== 'refunded') violate(7, `${told}; the money was returned`);
    if (order && (order.amountMinor !== amountMinor || order.currency !== currency))
      violate(7, `${told}; it asks for ${amountMinor} ${currency} and costs ${order.amountMinor}`);
    const booked = { amountMinor: takenMinor ?? amountMinor, currency: takenCurrency ?? currency };
    const isSettled = status === 'succeeded' || status === 'refunded';
    const isSame = account?.amountMinor === booked.amountMinor && account.currency === booked.currency;
    if (isSettled && !isSame)
      violate(8, `${told}; ${booked.amountMinor} ${booked.currency} are booked, which were not taken`);
    if (order?.endReason === 'payment_mismatch' && !account?.isWrong)
      violate(7, `${told}; what its page asked for was paid, and it ended all the same`);
  }
  for (const { orderNo, cause } of events.find(null, () => true)) {
    const { saleId = '' } = orders.get(null, orderNo) ?? {};
    if (cause === 'late_payment_kept' && world.postgres.sales.get(null, saleId)?.lateMoney === 'refund')
      violate(7, `late money of ${orderNo} was kept, and the sale sends it back`);
  }
  for (const { error } of letters.find(null, ({ consumer }) => consumer === 'provider-books'))
    violate(8, error);
}
