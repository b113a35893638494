import type { Reply } from '@/lib/http/reply';
import type { Random } from '@/tools/harness/random';
import { GATE, SALE_ID, type World } from '../world';
import { shopAround } from './campaigner';
import { enterDraw } from './entrant';
import { awaitDecision } from './queuer';
import { runSettings } from './settings';
import { standInLine } from './stander';
import { waitInLine } from './waiter';

const ASKS = 8;
const MERCHANT = { userId: 'merchant', role: 'merchant' } as const;

/**
 * Plays one shopper: buys (impatiently, with one token), then pays, cancels, or forgets the order. A shopper who got
 * no answer asks again. Some come back with another token.
 */
export async function shop(world: World, userId: string): Promise<void> {
  const { time } = world;
  const random = world.random.fork(userId);
  await time.sleep(random.next() * 5_000);
  if (world.has('campaign')) {
    await shopAround(world, random, userId, {
      buy: (asked, token) => buy(world, random, { userId, ...asked }, { token, isInTime: () => true }),
      afterwards: (orderNo) => afterwards(world, random, userId, orderNo),
    });
    return;
  }
  if (world.has('draw')) {
    const orderNo = await enterDraw(world, random, userId);
    if (orderNo) await afterwards(world, random, userId, orderNo);
    return;
  }
  if (world.has('waiting-room')) {
    const orderNo = await standInLine(world, random, userId, (token, until) =>
      buyInTurn(world, random, userId, token, until),
    );
    if (orderNo) await afterwards(world, random, userId, orderNo);
    return;
  }
  for (let nth = 1; nth <= random.int(1, 3); nth += 1) {
    const jti = `${userId}_token${nth}`;
    const quantity = random.chance(0.8) ? 1 : 2;
    const clicks = random.chance(0.3) ? 2 : 1;
    const bought = await Promise.all(
      Array.from({ length: clicks }, () => buy(world, random, { userId, jti, quantity })),
    );
    const isTooLate = world.hasWaitlist && bought.every((each) => each === null);
    const orderNo = isTooLate
      ? await waitInLine(world, random, { userId, jti })
      : bought.find((each) => each !== null);
    if (orderNo) await afterwards(world, random, userId, orderNo);
    await time.sleep(random.next() * 10_000);
  }
}

/** Buys one unit with the token of somebody's turn, until `until`. @returns the order number if it was accepted */
async function buyInTurn(
  world: World,
  random: Random,
  userId: string,
  token: string,
  until: number,
): Promise<string | null> {
  const jti = token.split(' ')[1] ?? '';
  const isInTime = () => world.time.now < until;
  return buy(world, random, { userId, jti, quantity: 1 }, { token, isInTime });
}

/** Tries to buy. @returns the order number if the purchase was accepted. */
async function buy(
  world: World,
  random: Random,
  asked: { userId: string; jti: string; quantity: number; saleId?: string },
  turn?: { token: string; isInTime: () => boolean },
): Promise<string | null> {
  const { userId, jti, quantity, saleId = SALE_ID } = asked;
  const request = {
    saleId,
    gate: GATE,
    entryToken: turn?.token ?? `${userId} ${jti}`,
    body: JSON.stringify({ quantity }),
  };
  for (let ask = 1; ask <= ASKS && (turn?.isInTime() ?? true); ask += 1) {
    const askedAt = world.time.now;
    const reply = await world.request<Reply>(async (web) => web.api.purchase(request));
    const {
      orderNo,
      code,
      status,
      campaignLimit: isShared,
    } = reply ? JSON.parse(String(reply.body)) : { orderNo: undefined, code: 'no answer' };
    if (reply?.status === 202 && status === 'undecided') {
      world.ledger.count('undecided');
      world.tell(userId, `told undecided ${orderNo} for ${jti}`);
      if (await awaitDecision(world, random, { ...asked, orderNo })) return orderNo;
      // What was lost undecided may be asked for again, with the same token.
      if (random.chance(0.5)) return null;
      continue;
    }
    world.ledger.count(reply?.status === 202 ? 'accepted' : isShared ? 'campaign limit' : code);
    if (code === 'SOLD_OUT')
      for (const watch of world.splitWatches) watch.hearSoldOut(saleId, userId, askedAt, quantity);
    if (turn && code === 'SOLD_OUT') world.lineWatch?.hearSoldOut(userId);
    if (reply?.status === 202) {
      world.ledger.accepted.push({ ...asked, orderNo });
      world.tell(userId, `told 202 ${orderNo} for ${jti}`);
      // The same token gets the same answer. Some shoppers ask again although they have one.
      if (random.chance(0.7)) return orderNo;
    } else if (reply && reply.status !== 503 && random.chance(0.6)) return null;
    await world.time.sleep(200 + random.next() * 3_000);
  }
  return world.ledger.accepted.find((told) => told.jti === jti)?.orderNo ?? null;
}

async function afterwards(world: World, random: Random, userId: string, orderNo: string): Promise<void> {
  const { time, ledger } = world;
  const plan = random.weighted({
    pay: 4,
    failThenPay: 1,
    payLate: 3,
    cancel: 2,
    both: 1,
    regret: 1,
    forget: 2,
  });
  if (plan === 'forget') return;
  await time.sleep(random.next() * 4_000);
  if (plan === 'cancel' || plan === 'both') {
    const cancelling = cancel(world, userId, orderNo);
    if (plan === 'both') await pay(world, random, userId, orderNo, 'succeeded');
    if (await cancelling) ledger.cancelled.add(orderNo);
    return;
  }
  if (plan === 'failThenPay') await pay(world, random, userId, orderNo, 'failed');
  const lateMs = plan === 'payLate' ? world.profile.paymentWindowSec * 1_000 : 0;
  await pay(world, random, userId, orderNo, 'succeeded', lateMs);
  if (plan !== 'regret') return;
  // This is too late: a shopper can't cancel a paid order.
  await time.sleep(random.next() * 3_000);
  if (await cancel(world, userId, orderNo)) ledger.cancelled.add(orderNo);
}

async function cancel(world: World, userId: string, orderNo: string): Promise<boolean> {
  for (let ask = 1; ask <= ASKS; ask += 1) {
    const result = await world.request((web) => web.api.cancelOrder(userId, orderNo));
    if (result?.status === 'cancelled') return true;
    await world.time.sleep(1_000);
  }
  return false;
}

/**
 * Goes to the provider's page as soon as there is something to pay, stays there for `lingerMs`, then pays the amount
 * that the page asked for when it was opened. Some shoppers open the page again meanwhile but still pay on the first
 * one.
 */
async function pay(
  world: World,
  random: Random,
  userId: string,
  orderNo: string,
  outcome: 'succeeded' | 'failed',
  lingerMs = 0,
): Promise<void> {
  for (let ask = 1; ask <= ASKS; ask += 1) {
    const result = await world.request((web) => web.api.payOrder(userId, orderNo));
    if (result?.status === 'payable') {
      const page = new URL(result.redirectUrl, 'http://provider').searchParams;
      const asked = { amountMinor: Number(page.get('asks')), currency: page.get('in') ?? '' };
      await world.time.sleep(lingerMs + random.next() * 2_000);
      if (random.chance(0.2)) await world.request((web) => web.api.payOrder(userId, orderNo));
      world.provider.pay({ ...asked, paymentId: result.paymentId }, outcome);
      return;
    }
    await world.time.sleep(1_000 + random.next() * 2_000);
  }
}

/** Plays the merchant, who changes the prices of some orders and refunds some. */
export async function runShop(world: World): Promise<void> {
  const random = world.random.fork('merchant');
  for (let nth = random.int(0, 6); nth > 0; nth -= 1) {
    await world.time.sleep(random.next() * 5_000);
    const waiting = world.postgres.orders.find(null, ({ status }) => status === 'pending_payment');
    if (waiting.length === 0) continue;
    const { orderNo, version } = random.pick(waiting);
    const result = await world.request((web) =>
      web.api.changeOrderPrice(MERCHANT, orderNo, { priceMinor: random.int(500, 1_500), version }),
    );
    world.count(`price ${result?.status ?? 'no answer'}`);
  }
  for (let nth = random.int(0, 2); nth > 0; nth -= 1) {
    await world.time.sleep(random.next() * 15_000);
    const paid = world.postgres.orders.find(null, ({ status }) => status === 'paid');
    if (paid.length === 0) continue;
    const { orderNo } = random.pick(paid);
    const refund = { reason: 'because', returnStock: random.chance(0.6) };
    const result = await world.request((web) => web.api.refundOrder(MERCHANT, orderNo, refund));
    if (result?.status === 'refunded') world.ledger.refunded.add(orderNo);
  }
  if (world.has('restock') || world.has('split') || (world.has('campaign') && world.profile.isReconciled))
    await restock(world);
  if (world.has('queue')) await Promise.all([restock(world), runSettings(world)]);
}

/**
 * Plays the merchant who adds units or takes some back. What does not reach Redis waits for the reconciliation, so without it
 * the stock would stay as it is.
 */
async function restock(world: World): Promise<void> {
  const random = world.random.fork('restock');
  for (let nth = random.int(1, 3); nth > 0; nth -= 1) {
    await world.time.sleep(random.next() * 8_000);
    const delta = random.chance(0.6) ? random.int(1, 2) : -1;
    const requestId = world.nextId('request');
    const saleId = world.saleIds.length === 1 ? SALE_ID : random.pick(world.saleIds);
    for (let ask = 1; ask <= 3; ask += 1) {
      const result = await world.request((web) =>
        web.api.restockSale(MERCHANT, saleId, delta, { requestId }),
      );
      world.count(`restock ${result?.status ?? 'no answer'}`);
      if (result) break;
      await world.time.sleep(1_000);
    }
  }
}
