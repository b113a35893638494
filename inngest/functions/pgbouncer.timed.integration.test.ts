import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { keptQuery } from '@/lib/db/kept-query';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { shop } from '@/lib/purchase/testing/crowd';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { createSaleFixture, makeOverdue, readStates } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { verifySale } from '@/lib/verify/verify-sale';
import { type PgBouncer, startPgBouncer } from '@/test/support/start-pgbouncer';
import { runFunctions } from './testing/run-functions';

/** Few enough for every transaction to meet another connection. */
const CONNECTIONS = 3;
const PEOPLE = 60;
const direct = process.env.DATABASE_URL ?? '';
let pgbouncer: PgBouncer;
let stopFunctions: (() => Promise<void>) | undefined;

beforeAll(async () => {
  pgbouncer = await startPgBouncer(direct, CONNECTIONS);
  Object.assign(process.env, { DATABASE_URL: pgbouncer.url, DATABASE_DIRECT_URL: direct });
  stopFunctions = await runFunctions();
});
afterAll(async () => {
  await stopFunctions?.();
  await releaseOrderNos().catch(() => undefined);
  await closeRedis();
  await closeDb();
  await pgbouncer?.stop();
  Object.assign(process.env, { DATABASE_URL: direct });
  delete process.env.DATABASE_DIRECT_URL;
});

/** Sells a unit to everybody, and waits until all orders are written. @param whenSold runs before that */
async function sellAll(whenSold = async () => {}) {
  const sale = await createSaleFixture({ total: PEOPLE, users: PEOPLE });
  const sold = await Promise.all(sale.userIds.map((userId) => shop(sale, userId)));
  expect(new Set(sold.map(({ http }) => http))).toEqual(new Set([202]));
  await whenSold();
  const count = () => db().order.count({ where: { saleId: sale.saleId } });
  await expect.poll(count, { timeout: 30_000 }).toBe(PEOPLE);
  return { sale, orderNos: sold.map(({ orderNo }) => orderNo) };
}

async function expectGoodBooks(saleId: string) {
  const verified = await verifySale(saleId, { settleMs: 2_000 });
  expect(verified?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]))).toEqual([]);
}

it('[K4] behind PgBouncer in transaction mode orders are written, paid, released and verified', async () => {
  const { sale, orderNos } = await sellAll();
  const [paid, unpaid] = [orderNos.slice(0, 40), orderNos.slice(40)];
  await Promise.all(paid.map(payFor));
  await makeOverdue(unpaid);
  expect((await releaseUnpaid(unpaid)).toSorted()).toEqual(unpaid.toSorted());
  const states = async () =>
    [...(await readStates(sale.saleId)).values()].filter(({ isSettled }) => isSettled);
  await expect.poll(async () => (await states()).length, { timeout: 30_000 }).toBe(PEOPLE);
  const ended = (await states()).map(({ status }) => status);
  expect(ended.filter((status) => status === 'paid')).toHaveLength(40);
  expect(ended.filter((status) => status === 'cancelled')).toHaveLength(20);
  await expectGoodBooks(sale.saleId);
});

it('[K4] statements that have names elsewhere find no connection that doesn’t know them, or knows others', async () => {
  const double = (n: number) => keptQuery<{ n: number }>`SELECT ${n}::int * 2 AS n`;
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  const answers = await Promise.all(numbers.map(double));
  expect(answers.map(([row]) => row?.n)).toEqual(numbers.map((n) => 2 * n));
});

it('[K4] a pooler that is restarted loses no purchase', async () => {
  const { sale } = await sellAll(pgbouncer.restart);
  await expectGoodBooks(sale.saleId);
});
