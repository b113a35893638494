import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { shaOf } from '@/lib/redis/run-script';
import { lockLedger, moveInLedger } from '@/lib/sale/records/slice-ledger';
import { giveParcel } from '@/lib/stock/give-parcel';
import { readStock } from '@/lib/stock/read-stock';
import { moveUnits } from './move-units';
import { settleParcels } from './settle-parcels';
import { createSplitSale, readUnits, type SplitSale } from './testing/split-sale';

afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

/*
 * A slice refuses a parcel with a number below that of the last one it took: its units would belong to nobody. So when one
 * did not come, later ones must wait.
 */
describe('when a slice missed a parcel', () => {
  it('[M10 C6] those that Postgres moved later wait, and all come in their order', async () => {
    const sale = await createSplitSale({ total: 12, users: 0 });
    await moveWithoutTelling(sale, [0, 1], 3);
    const lost = loseTakes(1);
    await settleParcels(sale.saleId);
    expect(lost()).toBe(1);
    expect(await readUnits(sale)).toMatchObject({
      available: [2, 2, 3, 3],
      dealt: [2, 2, 3, 5],
      parcels: [{ receiver: 3 }, { receiver: 3 }],
    });
    await settleParcels(sale.saleId);
    await expectWhole(sale, [2, 2, 3, 5]);
  });

  it('[M10 C6] nobody sends another one after it', async () => {
    const sale = await createSplitSale({ total: 12, users: 0 });
    await moveWithoutTelling(sale, [0], 3);
    const lost = loseTakes(1);
    expect(await moveUnits(sale, 3, 6)).toBe('busy');
    expect(lost()).toBe(1);
    expect((await readUnits(sale)).parcels).toHaveLength(1);
    expect(await moveUnits(sale, 3, 4)).toBe('moved');
    await expectWhole(sale, [2, 3, 3, 4]);
  });

  it('[M10 C6] the mover itself sends no later one of its own', async () => {
    const sale = await createSplitSale({ total: 12, users: 0 });
    const lost = loseTakes(1);
    // More than one slice has.
    expect(await moveUnits(sale, 3, 8)).toBe('moved');
    expect(lost()).toBe(1);
    expect(await readUnits(sale)).toMatchObject({ available: [0, 1, 3, 3], parcels: [{}, {}] });
    await settleParcels(sale.saleId);
    await expectWhole(sale, [0, 1, 3, 8]);
  });
});

/** Moves one unit from each of the slices to another, as a mover that dies after its commit. */
async function moveWithoutTelling({ saleId, stocks }: SplitSale, from: readonly number[], to: number) {
  await transaction(async (tx) => {
    const ledger = await lockLedger(tx, saleId);
    if (!ledger) throw new Error('not dealt');
    for (const [nth, giver] of from.entries()) {
      const number = ledger.numbers[nth] as number;
      const epoch = ledger.epochs[giver] as number;
      await giveParcel(stocks[giver] as string, { epoch, number, units: 1 });
      await moveInLedger(tx, saleId, [{ number, giver, receiver: to, units: 1 }]);
    }
  });
}

/** Has the next parcels get lost on their way to a slice. @returns how many were */
function loseTakes(count: number): () => number {
  const redis = stockRedis();
  const evalsha = redis.evalsha.bind(redis) as (...args: unknown[]) => Promise<unknown>;
  let lost = 0;
  const maybe = (...args: unknown[]) => {
    if (args[0] !== shaOf('take-parcel-1') || lost === count) return evalsha(...args);
    lost += 1;
    return Promise.reject(new Error('Connection is closed.'));
  };
  vi.spyOn(redis, 'evalsha').mockImplementation(maybe as typeof redis.evalsha);
  return () => lost;
}

async function expectWhole(sale: SplitSale, available: readonly number[]) {
  expect(await readUnits(sale)).toMatchObject({
    available,
    totals: available,
    dealt: available,
    sent: [0, 0, 0, 0],
    parcels: [],
  });
  expect(await readStock(sale.saleId)).toMatchObject({ total: 12, available: 12 });
}
