import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { readWaiting } from '@/lib/outbox/read-waiting';
import { buyForAll, createSaleFixture, readStates } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { eventually } from '@/test/support/eventually';
import { expectKept } from './testing/expect-kept';
import { refuseOrders } from './testing/refuse-orders';
import { runFunctions } from './testing/run-functions';

/** One of each class that blames the server: PostgreSQL manual, appendix A. 42P01 blames us, as a half-done upgrade does. */
const SERVERS_FAULTS = [
  '08006',
  '25006',
  '28000',
  '3D000',
  '40001',
  '40P01',
  '42P01',
  '53100',
  '53300',
  '55P03',
  '57014',
  '58030',
  'XX000',
];

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await runFunctions();
});
afterAll(async () => {
  await stop();
  await closeRedis();
  await closeDb();
});

const statusesOf = async (saleId: string) =>
  [...(await readStates(saleId)).values()].map(({ status }) => status);

/** Counts the runs of the sale that used up their attempts. */
async function givenUp(saleId: string): Promise<number> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM executor.runs r JOIN executor.events e ON e.id = r.event_id
    WHERE e.name = 'orders/accepted' AND r.status = 'FAILED' AND e.payload::text LIKE ${`%${saleId}%`}`;
  return row?.count ?? 0;
}

it('[E3 E5] whatever a server lacks, no accepted purchase is given up, and it is counted while it waits', async () => {
  const sales = await Promise.all(
    SERVERS_FAULTS.map(async (code) => {
      const sale = await createSaleFixture({ total: 3, users: 3 });
      return { ...sale, code, mend: await refuseOrders(sale.saleId, code) };
    }),
  );
  await Promise.all(sales.map((sale) => buyForAll(sale)));
  // Each purchase has used up the attempts of a run at least once, and is on its way again.
  for (const { saleId, code } of sales)
    await eventually(async () => expect([code, await givenUp(saleId)]).not.toEqual([code, 0]), 200);
  expect(await db().deadLetter.count()).toBe(0);
  for (const { saleId } of sales) {
    expect(await statusesOf(saleId)).toEqual([]);
    await eventually(async () => expect((await readWaiting(saleId)).depth).toBe(3));
    expect((await readWaiting(saleId)).oldestAgeMs).toBeGreaterThan(1_000);
  }

  await Promise.all(sales.map(({ mend }) => mend()));
  for (const { saleId, code } of sales)
    await eventually(
      async () => expect([code, await statusesOf(saleId)]).toEqual([code, Array(3).fill('pending_payment')]),
      200,
    );
  expect(await db().deadLetter.count()).toBe(0);
  for (const { saleId } of sales) {
    await eventually(async () => expect((await readWaiting(saleId)).depth).toBe(0));
    await expectKept(saleId);
  }
}, 300_000);
