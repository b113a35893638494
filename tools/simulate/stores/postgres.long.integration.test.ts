import { afterAll, expect, it } from 'vitest';
import { Findings } from '@/lib/admin/verify/findings';
import { createSaleFixture, forge, makeOverdue, type SaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { closeDb, type Db, db } from '@/lib/db/client';
import { sqlState } from '@/lib/db/sql-state';
import { orderKey } from '@/lib/order/order-key';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import type { PaymentStatus } from '@/lib/payment/types';
import { closeRedis } from '@/lib/redis/client';
import { createRandom, type Random } from '@/tools/harness/random';
import { type LifecycleVerbs, realVerbs, simulatedVerbs } from '../testing/lifecycle-verbs';
import type { PostgresStore } from './postgres';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

type Step = { name: string; work: (verbs: LifecycleVerbs, tx: Db) => Promise<unknown> };
const HISTORIES = 6;
const STEPS = 160;
const PATIENT = { timeout: 60_000, maxWait: 60_000 };
const PRICE = { amountMinor: 1_999, currency: 'EUR', provider: 'sandbox' };

it('[C6 D1 E6] the simulated verbs on orders, payments and counters answer and leave everything as those over a real Postgres', async () => {
  const done = new Set<string>();
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = createRandom(seed);
    const sale = await createSaleFixture({ total: 4, limit: random.int(1, 2), users: 3 });
    const { verbs, store } = simulatedVerbs();
    await mirror(store, sale);
    // Order numbers are unique in the whole database, so each history has some of its own, which it uses again and
    // again.
    const pool = Array.from({ length: 8 }, () => forge(sale, random.pick([...sale.userIds, 'user_nobody'])));
    const trail: string[] = [];
    for (let nth = 0; nth < STEPS; nth += 1) {
      const { name, work } = await nextStep(random, sale, pool, store);
      const [expected, actual] = [await answerOf(realVerbs, work), await answerOf(verbs, work)];
      trail.push(`${name}: ${JSON.stringify(expected)}`);
      if (expected !== null && expected !== false) done.add(name);
      expect({ seed, trail, answer: actual }).toEqual({ seed, trail, answer: expected });
      if (nth % 4 === 0)
        expect({ seed, trail, ...inStore(store) }).toEqual({ seed, trail, ...(await inPostgres(sale)) });
    }
    const order = forge(sale, 'user_nobody');
    const lastly = async (verbs: LifecycleVerbs, tx: Db) => {
      const gaveUp = await verbs.recordFailedOrder(tx, givenUp(sale.saleId, order));
      return { gaveUp, buyers: await readBuyers(verbs, tx, sale.saleId) };
    };
    const expected = await answerOf(realVerbs, lastly);
    expect({ seed, trail, answer: await answerOf(verbs, lastly) }).toEqual({ seed, trail, answer: expected });
    expect(JSON.stringify(expected)).toContain(order.jti);
  }
  const useful = [
    'insert',
    'write',
    'cancel',
    'expire',
    'pay',
    'refund',
    'keep',
    'fail',
    'move',
    'hold',
    'sell',
    'payAtOnce',
    'open',
    'reprice',
    'owe',
    'sentBack',
  ];
  expect(useful.filter((name) => !done.has(name))).toEqual([]);
});

it.each(['commit', 'rollback'] as const)(
  '[C6] of two transactions at one row the second sees what the first did (%s)',
  async (end) => {
    const sale = await createSaleFixture({ total: 4, limit: 1, users: 2 });
    const [userId = ''] = sale.userIds;
    const [order, rival] = [forge(sale, userId), forge(sale, userId)];
    const race = async (verbs: LifecycleVerbs) => {
      const insert = (tx: Db, one: AcceptedOrder) => verbs.insertOrders(tx, sale.saleId, [one], 'sandbox');
      const first = together(
        verbs,
        end,
        (tx) => insert(tx, order),
        (tx) => insert(tx, rival),
      );
      const inserted = (await first).map(({ count }) => count);
      const marked = await together(
        verbs,
        end,
        ...pair((tx: Db) => verbs.markProcessed(tx, 'test', [order.orderNo])),
      );
      const live = inserted[0] === 1 && end === 'commit' ? order.orderNo : rival.orderNo;
      const cancelled = await together(
        verbs,
        end,
        (tx) => verbs.payOrderRow(tx, orderKey(live), PRICE),
        (tx) =>
          verbs.cancelOrderRow(tx, { userId, orderNo: live }, 'cancelled_by_shopper', { kind: 'system' }),
      );
      return {
        inserted,
        marked: marked.map(({ size }) => size),
        cancelled: cancelled.map((answer) => answer !== null),
      };
    };
    const { verbs, store } = simulatedVerbs();
    await mirror(store, sale);
    const expected = await race(realVerbs);
    expect(await race(verbs)).toEqual(expected);
    expect(expected.inserted).toEqual(end === 'commit' ? [1, 0] : [1, 1]);
  },
);

const byPayment = (a: { paymentId: string }, b: { paymentId: string }) =>
  a.paymentId < b.paymentId ? -1 : 1;
const pair = <T>(work: T): [T, T] => [work, work];

/** Starts `second` when `first` is done but its transaction is still open. */
async function together<A, B>(
  verbs: LifecycleVerbs,
  end: 'commit' | 'rollback',
  first: (tx: Db) => Promise<A>,
  second: (tx: Db) => Promise<B>,
): Promise<[A, B]> {
  let late: Promise<B> | undefined;
  let done: A | undefined;
  const outer = verbs.db().$transaction(async (tx) => {
    done = await first(tx);
    late = verbs.db().$transaction((other) => second(other), PATIENT);
    late.catch(() => {});
    if (end === 'rollback') throw new Error('rolled back');
  }, PATIENT);
  await outer.catch((error) => {
    if (!String(error).includes('rolled back')) throw error;
  });
  return [done as A, await (late as Promise<B>)];
}

async function nextStep(
  random: Random,
  sale: SaleFixture,
  pool: readonly AcceptedOrder[],
  store: PostgresStore,
): Promise<Step> {
  const { saleId } = sale;
  const order = random.pick(pool);
  const other = random.pick(pool);
  const { orderNo, userId } = order;
  const paymentId = `pay_${orderNo}`;
  const numbers = [...new Set([orderNo, other.orderNo])].sort(
    (a, b) => a.length - b.length || (a < b ? -1 : 1),
  );
  const units = random.int(1, 2);
  const statuses: PaymentStatus[] = ['pending', 'failed', 'succeeded', 'refund_due', 'refunded'];
  const [from, to] = [random.pick(statuses), random.pick(statuses)];
  const unitPriceMinor = random.pick([1_999, 1_500]);
  const money = { amountMinor: random.pick([1_999, 900]), currency: random.pick(['EUR', 'USD']) };
  const [webhook, paid] = [random.int(1, 30), random.chance(0.8) ? PRICE : money];
  const isForSale = random.chance(0.5);
  const outcome = random.pick(['paid', 'cancelled', 'failed', 'refunded'] as const);
  const tier = random.pick(['held', 'sold'] as const);
  const steps: Record<string, Step['work']> = {
    insert: (v, tx) => v.insertOrders(tx, saleId, [order], 'sandbox'),
    insertTwo: (v, tx) =>
      v.insertOrders(
        tx,
        saleId,
        pool.filter((each) => numbers.includes(each.orderNo)),
        'sandbox',
      ),
    sameToken: (v, tx) => v.insertOrders(tx, saleId, [{ ...other, jti: order.jti, userId }], 'sandbox'),
    tooMany: (v, tx) => v.insertOrders(tx, saleId, [{ ...order, quantity: 1_001 }], 'sandbox'),
    duplicate: (v, tx) => v.findDuplicate(tx, saleId, order),
    process: (v, tx) => v.markProcessed(tx, 'confirm-paid', numbers),
    fail: (v, tx) => v.recordFailedOrder(tx, givenUp(saleId, order)),
    expire: (v) => v.expireOrders(numbers),
    write: (v) => v.writeOrders([{ ...order, saleId }], 'sandbox'),
    writeTwo: (v) =>
      v.writeOrders(
        pool.filter((each) => numbers.includes(each.orderNo)).map((each) => ({ ...each, saleId })),
        'sandbox',
      ),
    cancel: (v, tx) => v.cancelOrderRow(tx, { userId, orderNo }, 'cancelled_by_shopper', { kind: 'system' }),
    pay: (v, tx) => v.payOrderRow(tx, orderKey(orderNo), PRICE),
    payAtOnce: (v) => {
      const callback = {
        webhookId: `${saleId}_${webhook}`,
        type: 'payment.succeeded',
        paymentId,
        payload: {},
      };
      const told = { topic: 'points' as const, payload: { saleId: '', orderNo } };
      return v.payAtOnce('sandbox', { ...callback, ...paid }, orderNo, [told]);
    },
    refund: (v, tx) => v.refundRow(tx, orderNo, isForSale),
    keep: (v, tx) => v.keepExpiredRow(tx, orderNo),
    markSettled: (v) => v.markSettled(numbers, [outcome]),
    move: (v, tx) => v.movePayment(tx, paymentId, [from], to),
    lock: (v, tx) => v.lockPayment(tx, 'sandbox', paymentId),
    decide: (v, tx) => v.decideRefund(tx, paymentId),
    isOpen: (v, tx) => v.isRefundOpen(tx, paymentId),
    open: (v) => v.openPayment(userId, orderNo),
    opened: (v) => v.findOpened(numbers),
    hold: (v, tx) => v.holdUnits(tx, saleId, units, Date.now()),
    release: (v, tx) => v.releaseUnits(tx, saleId, units),
    sell: (v) => v.sellPaid(saleId, numbers),
    sellFree: (v, tx) => v.sellFreeUnits(tx, saleId, units, Date.now()),
    takeBack: (v, tx) => v.takeBackUnits(tx, saleId, units, { from: tier, isForSale }),
    batch: (v) => v.readBatch(saleId, numbers),
    written: (v, tx) => v.findWritten(tx, saleId, numbers),
    whichWritten: (v) => v.whichWritten(numbers),
    paidPayment: (v) => v.findPaidPayment(userId, orderNo),
    priced: (v, tx) => v.lockPriced(tx, orderNo),
    reprice: async (v, tx) =>
      (await v.lockPriced(tx, orderNo)) &&
      v.repriceRow(tx, orderNo, { unitPriceMinor, amountMinor: unitPriceMinor * order.quantity }),
    owe: (v, tx) => v.oweBack(tx, paymentId, money),
    sentBack: (v, tx) => v.markSentBack(tx, paymentId, money),
    askAgain: (v, tx) => v.askAgain(tx, [paymentId]),
    ownBooks: async (v) =>
      (await v.readOwnBooks('sandbox', [paymentId, `pay_${other.orderNo}`])).sort(byPayment),
    saleBooks: async (v) => {
      const all: Awaited<ReturnType<typeof v.readOwnBooks>> = [];
      await v.streamOwnBooks(saleId, async (page) => void all.push(...page));
      return all.sort(byPayment);
    },
    letters: (v) => v.findUnreleased([orderNo]),
    deadLetters: (v) => v.findDeadLetters(saleId, numbers),
    account: (v) => v.readSaleAccount(saleId),
    orders: (v) => v.findOrders([order, other]),
    unwritten: (v) => v.findUnwritten(saleId, [order, other]),
    money: async (v) => {
      const findings = new Findings();
      await v.checkPayments(saleId, findings);
      return findings.describe(7) === null;
    },
    buyers: (v, tx) => readBuyers(v, tx, saleId),
  };
  if (random.chance(0.1)) {
    await makeOverdue([orderNo]);
    const cell = store.orders.cells.get(orderNo);
    if (cell?.committed) cell.committed = { ...cell.committed, payBy: Date.now() - 1_000 };
  }
  const writing = [
    'insert',
    'write',
    'writeTwo',
    'sell',
    'pay',
    'pay',
    'hold',
    'expire',
    'cancel',
    'refund',
    'keep',
    'keep',
    'keep',
    'move',
    'move',
    'move',
    'open',
    'reprice',
    'owe',
    'sentBack',
  ];
  const name = random.chance(0.5) ? random.pick(writing) : random.pick(Object.keys(steps));
  return { name, work: steps[name] as Step['work'] };
}

const givenUp = (saleId: string, order: AcceptedOrder) =>
  ({ saleId, order, reason: 'not_writable', error: 'test', consumer: 'create-orders' }) as const;

/** Returns all purchases, as a rebuild of the stock loads them. */
async function readBuyers(verbs: LifecycleVerbs, tx: Db, saleId: string) {
  const found = [];
  for await (const buyer of verbs.streamBuyers(tx, saleId)) found.push(buyer);
  return found.sort((a, b) => (a.userId < b.userId ? -1 : 1));
}

/** Runs one verb in a transaction and returns its answer, or the SQLSTATE or message of its failure. */
async function answerOf(verbs: LifecycleVerbs, work: Step['work']): Promise<unknown> {
  try {
    return plain(await verbs.db().$transaction((tx) => work(verbs, tx), PATIENT));
  } catch (error) {
    return { failed: sqlState(error) ?? String(error).split(':')[0] };
  }
}

/** Removes times, which differ by milliseconds, and ids that come from a sequence. */
function plain(value: unknown): unknown {
  if (value instanceof Set) return [...value].sort();
  if (value instanceof Map) return [...value].sort().map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'bigint') return String(value);
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !['deadlineAt', 'deadlines', 'id', 'payBy', 'nextQueryAt'].includes(name),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, plain(each)]));
}

async function mirror(store: PostgresStore, { saleId, userIds }: SaleFixture): Promise<void> {
  for (const userId of userIds) store.users.add(userId);
  const row = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  store.sales.cell(saleId).committed = {
    ...row,
    status: 'published',
    strategy: 'script',
    onStockOutage: 'closed',
    stockMode: 'redis',
    limits: null,
    reservationOpensAt: null,
  };
}

/** Reads all rows of a sale from Postgres, in the form that `inStore` gives. */
async function inPostgres({ saleId }: SaleFixture) {
  const sale = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const orders = await db().order.findMany({
    where: { saleId },
    include: { payment: true },
    orderBy: { id: 'asc' },
  });
  const letters = await db().deadLetter.findMany({ where: { saleId } });
  const told = await db().orderEvent.groupBy({
    by: ['orderId', 'cause'],
    where: { orderId: { in: orders.map(({ id }) => id) } },
    _count: true,
  });
  return {
    counters: [sale.totalStock, sale.heldStock, sale.soldStock],
    orders: orders.map(({ id, ...row }) => rowOf({ ...row, orderNo: String(id) }, row.payment)),
    letters: letters.map(({ messageId }) => messageId).sort(),
    events: told.map(({ orderId, cause, _count }) => `${orderId} ${cause} ${_count}`).sort(),
  };
}

function inStore({ sales, orders, payments, letters, events }: PostgresStore) {
  const [sale] = sales.find(null, () => true);
  const rows = orders.find(null, () => true).sort((a, b) => (BigInt(a.orderNo) < BigInt(b.orderNo) ? -1 : 1));
  const told = new Map<string, number>();
  for (const { orderNo, cause } of events.find(null, () => true)) {
    told.set(`${orderNo} ${cause}`, (told.get(`${orderNo} ${cause}`) ?? 0) + 1);
  }
  return {
    counters: [sale?.totalStock, sale?.heldStock, sale?.soldStock],
    orders: rows.map((row) => rowOf(row, payments.get(null, `pay_${row.orderNo}`))),
    letters: letters
      .find(null, () => true)
      .map(({ messageId }) => messageId)
      .sort(),
    events: [...told].map(([what, count]) => `${what} ${count}`).sort(),
  };
}

type Moment = Date | number | null;
type AnyOrder = Record<'orderNo' | 'userId' | 'status' | 'jti' | 'currency', string> &
  Record<'quantity' | 'amountMinor' | 'version', number> &
  Record<'paidAt' | 'cancelledAt' | 'stockSettledAt', Moment> & {
    endReason: string | null;
    isOnlyOne: boolean;
    refundReturnsStock: boolean | null;
  };
type AnyPayment = {
  status: string;
  amountMinor: number;
  queries: number;
  takenMinor: number | null;
} & Record<'settledAt' | 'refundedAt' | 'openedAt' | 'nextQueryAt' | 'refundDecidedAt', Moment>;

/** Returns an order and its payment; instead of each time says only whether there is one. */
function rowOf(order: AnyOrder, payment: AnyPayment | null) {
  const { orderNo, userId, status, jti, currency, quantity, amountMinor, version, endReason, isOnlyOne } =
    order;
  const { paidAt, cancelledAt, stockSettledAt, refundReturnsStock } = order;
  return {
    orderNo,
    userId,
    status,
    jti,
    currency,
    quantity,
    amountMinor,
    version,
    endReason,
    isOnlyOne,
    refundReturnsStock,
    moments: [paidAt, cancelledAt, stockSettledAt].map((moment) => moment !== null),
    payment: payment && {
      status: payment.status,
      amountMinor: payment.amountMinor,
      queries: payment.queries,
      takenMinor: payment.takenMinor,
      moments: [
        payment.settledAt,
        payment.refundedAt,
        payment.openedAt,
        payment.nextQueryAt,
        payment.refundDecidedAt,
      ].map((moment) => moment !== null),
    },
  };
}
