import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { takeOlder } from '@/lib/accepted/accepted-memory';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readLedger } from '@/lib/sale/records/slice-ledger';
import { sliceOf } from '@/lib/slice/numbers/slice-of';
import { confirmStock } from '@/lib/stock/confirm-stock';
import { endParcel } from '@/lib/stock/end-parcel';
import { giveParcel } from '@/lib/stock/give-parcel';
import { readBuyer } from '@/lib/stock/read-buyer';
import { releaseStock } from '@/lib/stock/release-stock';
import { takeParcel } from '@/lib/stock/take-parcel';
import { readAllBuyers } from '@/lib/stock/testing/read-all-buyers';
import { readSaleInRedis } from '@/lib/verify/read-split-account';
import { demandsCoverage, SEED } from '@/test/support/random';
import { addToSlices, takeFromSlices } from './restock-slices';
import { retakeUnits } from './retake-units';
import { settleParcels } from './settle-parcels';
import { interruptMove } from './testing/interrupt';
import { createSplitSale, renewInfo, type SplitSale, sellTo, userIn } from './testing/split-sale';
import { history, SLICES, type Step } from './testing/split-steps';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

/** A sale as shoppers can know it: how many units there are, and who has how many. Slices don't show. */
type Model = {
  total: number;
  limit: number;
  orders: { userId: string; orderNo: string; jti: string; units: number; state: string }[];
};
const liveOf = ({ orders }: Model, userId?: string): number =>
  orders
    .filter((order) => order.state !== 'released' && (userId === undefined || order.userId === userId))
    .reduce((sum, { units }) => sum + units, 0);

/** Each of them should come up, or the test proves less than it claims; a run of few histories may miss one. */
const EXPECTED = [
  'accepted',
  'sold_out',
  'over_limit',
  'already_bought',
  'released',
  'confirmed',
  'retaken',
  'given',
  'moved',
  'taken',
  'crowd',
  'lost',
  'added',
  'taken away',
  'below_committed',
  'rolled back',
  'late',
];

it('[M10 C1 C3 C6] split or not is no difference to shoppers, wherever a mover dies and whatever slices are lost', async () => {
  const seen = new Set<string>();
  const property = fc.asyncProperty(history, async ({ total, limit, steps }) => {
    const sale = await createSplitSale({ total, limit, slices: SLICES });
    const users = Array.from({ length: 5 }, (_, n) => userIn(sale, n % SLICES));
    const model: Model = { total, limit, orders: [] };
    const parcels: { number: number; giver: number; receiver: number; units: number }[] = [];
    for (const one of steps) {
      await apply(sale, users, model, parcels, one, seen);
      await expectSound(sale, model);
    }
  });
  for (let round = 0; round === 0 || (EXPECTED.some((word) => !seen.has(word)) && round < 4); round += 1)
    await fc.assert(property, { numRuns: 15, seed: SEED + round });
  if (demandsCoverage) expect(EXPECTED.filter((word) => !seen.has(word))).toEqual([]);
});

async function apply(
  sale: SplitSale,
  users: readonly string[],
  model: Model,
  parcels: { number: number; giver: number; receiver: number; units: number }[],
  one: Step,
  seen: Set<string>,
): Promise<void> {
  const { saleId, stocks } = sale;
  const free = model.total - liveOf(model);
  switch (one.verb) {
    case 'buy': {
      const userId = users[one.buyer] as string;
      const jti = newId('jti');
      const answer = await sellTo(sale, userId, { quantity: one.units, jti });
      const live = liveOf(model, userId);
      const expected =
        live >= model.limit
          ? 'already_bought'
          : live + one.units > model.limit
            ? 'over_limit'
            : free < one.units
              ? 'sold_out'
              : 'accepted';
      // Memory says "sold out" before anything else, to everybody whom it does not know as a buyer.
      expect(answer.status === 'sold_out' && free === 0 ? 'none left' : answer.status).toBe(
        expected === 'sold_out' && free === 0 ? 'none left' : expected,
      );
      if (answer.status === 'sold_out') expect(answer.available).toBe(free);
      if (answer.status === 'accepted')
        model.orders.push({ userId, orderNo: answer.orderNo, jti, units: one.units, state: 'held' });
      seen.add(expected);
      return;
    }
    case 'release':
    case 'confirm':
    case 'retake': {
      const released = model.orders.filter(({ state }) => state === 'released');
      const own = model.orders.filter((its) => its.userId === users[one.buyer]);
      const among = one.verb === 'retake' && released.length > 0 ? released : own;
      const order = among[one.pick % Math.max(1, among.length)];
      if (!order) return;
      const { userId, orderNo, jti, units } = order;
      if (one.verb === 'retake') {
        const { status } = await retakeUnits({ saleId, userId, orderNo, jti, units, as: 'held' });
        const fits = liveOf(model, userId) + units <= model.limit;
        const expected =
          order.state === 'sold'
            ? 'already_confirmed'
            : order.state === 'held'
              ? 'already_held'
              : !fits
                ? 'over_limit'
                : free < units
                  ? 'sold_out'
                  : 'retaken';
        expect(status).toBe(expected);
        if (status === 'retaken') order.state = 'held';
        seen.add(status);
        return;
      }
      const { status } = await (one.verb === 'confirm' ? confirmStock : releaseStock)({
        saleId,
        userId,
        orderNo,
      });
      const done = one.verb === 'confirm' ? 'confirmed' : 'released';
      // A rebuild forgets what was released: Postgres, which would know it, has no orders here.
      const expected =
        order.state === 'held'
          ? [done]
          : order.state === 'sold'
            ? ['already_confirmed']
            : ['already_released', 'unknown_order'];
      expect(expected).toContain(status);
      if (order.state === 'held') order.state = one.verb === 'confirm' ? 'sold' : 'released';
      // It has become an order before: its message is gone, and nobody has to remember that it was accepted.
      for (const stockId of stocks) {
        await stockRedis().xtrim(keys.outbox(stockId), 'MAXLEN', 0);
        takeOlder(stockId, Number.POSITIVE_INFINITY);
      }
      seen.add(status);
      return;
    }
    case 'interrupt': {
      if (one.from === one.to) return;
      const parcel = await interruptMove(sale, one);
      if (!parcel) return;
      seen.add(one.stage);
      if (one.stage !== 'given') parcels.push({ ...parcel, giver: one.from, receiver: one.to });
      return;
    }
    case 'crowd': {
      const crowd = Array.from({ length: one.buyers }, () => ({
        userId: userIn(sale, one.slice),
        jti: newId('jti'),
      }));
      const answers = await Promise.all(
        crowd.map(async ({ userId, jti }) => {
          for (;;) {
            const answer = await sellTo(sale, userId, { jti });
            if (answer.status !== 'busy') return { userId, jti, answer };
          }
        }),
      );
      let accepted = 0;
      for (const { userId, jti, answer } of answers) {
        if (answer.status !== 'accepted') continue;
        accepted += 1;
        model.orders.push({ userId, orderNo: answer.orderNo, jti, units: 1, state: 'held' });
      }
      expect(accepted).toBe(Math.min(free, one.buyers));
      seen.add('crowd');
      return;
    }
    case 'lose': {
      // Units are on their way to one of them.
      const [to = 0] = one.slices;
      if (!one.slices.includes(one.from))
        await interruptMove(sale, { from: one.from, to, units: 2, stage: 'moved' });
      for (const lost of one.slices) await stockRedis().unlink(keys.sale(stocks[lost] as string));
      // Another process settles while they are gone: what is on its way to them has to wait.
      await settleParcels(saleId);
      await ensureStockLoaded(saleId, one.slices);
      await renewInfo(sale);
      for (const order of model.orders)
        if (one.slices.includes(sliceOf(order.userId, SLICES)) && order.state === 'sold')
          order.state = 'held';
      seen.add('lost');
      return;
    }
    case 'restock':
      return restock(sale, model, one, seen);
    case 'late': {
      // A process that was stopped goes on with what it was doing: with the earliest that a slice has not taken, at most.
      const parcel = parcels[one.pick % Math.max(1, parcels.length)];
      if (!parcel) return;
      const { parcels: pending } = await readLedger(db(), saleId);
      const isNext =
        pending.find(({ receiver }) => receiver === parcel.receiver)?.number ?? Number.POSITIVE_INFINITY;
      if (parcel.number <= isNext) await takeParcel(stocks[parcel.receiver] as string, parcel);
      if (!pending.some(({ number }) => number === parcel.number))
        await endParcel(stocks[parcel.giver] as string, parcel.number, false);
      const [epoch] = await stockRedis().hmget(keys.sale(stocks[parcel.giver] as string), 'epoch');
      const { status } = await giveParcel(stocks[parcel.giver] as string, {
        ...parcel,
        epoch: Number(epoch),
      });
      // Only a parcel that has not ended is given again, as the same; then somebody has to end it.
      expect(['late', 'given', 'under_way']).toContain(status);
      seen.add('late');
      return;
    }
    case 'settle':
      return settleParcels(saleId);
  }
}

class RolledBack extends Error {}

async function restock(
  { saleId, slices }: SplitSale,
  model: Model,
  { delta, isCommitted }: Extract<Step, { verb: 'restock' }>,
  seen: Set<string>,
): Promise<void> {
  const free = model.total - liveOf(model);
  let below: number | null = null;
  const changed = transaction(async (tx) => {
    if (delta > 0) await addToSlices(tx, { saleId, slices }, delta);
    else below = await takeFromSlices(tx, { saleId, slices }, -delta, Date.now());
    if (below !== null || !isCommitted) throw new RolledBack();
    await tx.sale.update({ where: { id: saleId }, data: { totalStock: { increment: delta } } });
  });
  const isDone = await changed.then(
    () => true,
    (error) => {
      if (!(error instanceof RolledBack)) throw error;
      return false;
    },
  );
  if (delta < 0) expect(below).toBe(free < -delta ? free : null);
  if (below !== null) seen.add('below_committed');
  else if (!isDone) seen.add('rolled back');
  else seen.add(delta > 0 ? 'added' : 'taken away');
  if (isDone) model.total += delta;
  // As `restockSale` does: until then new units are in Postgres alone.
  if (isDone && delta > 0) await settleParcels(saleId);
}

async function expectSound({ saleId, stocks }: SplitSale, model: Model): Promise<void> {
  const row = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const account = await readSaleInRedis({
    saleId,
    slices: SLICES,
    epoch: row.epoch,
    sliceEpochs: row.sliceEpochs,
  });
  const live = liveOf(model);
  expect(row.totalStock).toBe(model.total);
  expect(account).toMatchObject({ total: model.total, available: model.total - live });
  expect((account?.held ?? 0) + (account?.sold ?? 0)).toBe(live);
  const { totals } = await readLedger(db(), saleId);
  expect(totals.reduce((sum, units) => sum + units, 0)).toBe(model.total);
  for (const [at, stockId] of stocks.entries()) {
    const [total, available, held, sold] = (
      await stockRedis().hmget(keys.sale(stockId), 'total', 'available', 'held', 'sold')
    ).map(Number);
    expect((available ?? 0) + (held ?? 0) + (sold ?? 0)).toBe(total);
    expect(Math.min(available ?? -1, held ?? -1, sold ?? -1)).toBeGreaterThanOrEqual(0);
    // Never more in Redis than Postgres has given it, on its way or not.
    expect(total).toBeLessThanOrEqual(totals[at] ?? 0);
  }
  for (const userId of (await readAllBuyers(saleId)).keys()) {
    const units = (await readBuyer(saleId, userId)).reduce(
      (sum, one) => sum + (one.state === 'released' ? 0 : one.quantity),
      0,
    );
    expect(units).toBe(liveOf(model, userId));
    expect(units).toBeLessThanOrEqual(model.limit);
  }
}
