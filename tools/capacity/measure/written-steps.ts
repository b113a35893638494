import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { createLoadUsers } from '@/lib/admin/load/create-load-users';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { decideOutcome } from '@/lib/payment/sandbox/decide-outcome';
import { signWebhook } from '@/lib/payment/sandbox/sign-webhook';
import { stockRedis } from '@/lib/redis/client';
import { awaitOrders } from '@/tools/bench/figures/await-orders';
import { awaitReleased, makeDue } from '@/tools/bench/figures/expire-all';
import { loadPurchaseScript, purchaseCommands } from '@/tools/bench/stack/fill';
import { runPipeline } from '@/tools/bench/stack/pipeline';
import { type BenchSale, dropBenchSale, openBenchSale } from '@/tools/bench/stack/sales';
import { ask } from '@/tools/harness/ask';
import { patiently } from '@/tools/harness/client';
import type { Step, StepCost } from '../measurements';
import type { Size } from './calibrate';
import type { Stack } from './open-stack';
import {
  createProcessorClock,
  measureIdle,
  minus,
  type ProcessorClock,
  type Spent,
  taken,
} from './processor-clock';
import { databaseBytes, redisFigure, syncUs, walBytes } from './store-sizes';

/** Purchases that one call of the script holds in a rush. */
const TOGETHER = 16;
/** Purchases that a busy Redis syncs together: those that came while it synced the last ones. */
const OF_ONE_SYNC = 64;
const TIMEOUT_MS = 120_000;
const LOOK_EVERY_MS = 50;
const PAYMENTS_AT_A_TIME = 16;
/** Time to move all deadlines in; a busy machine needs more than the first. */
const DUE_IN_MS = [2_000, 10_000, 60_000] as const;
const WARM_UP_ORDERS = 320;

export type WrittenSteps = {
  costs: Partial<Record<Step, StepCost>>;
  redisBusyUs: number;
  redisBytesPerBuyer: number;
  redisFileBytesPerPurchase: number;
  postgresBytesPerOrder: number;
  walBytesPerOrder: number;
  pids: { worker: number; executor: number };
};

/**
 * Measures what follows a purchase: it becomes an order, which is paid or expires, with messages and points. Everything runs
 * beside it; what it takes while nothing happens is taken off. Keeps worker and executor running until `after` has ended.
 */
export async function measureWritten<T>(
  stack: Stack,
  size: Size,
  after: (found: WrittenSteps) => Promise<T>,
): Promise<T> {
  const { servers, product, takeUsers } = stack;
  const sha = await loadPurchaseScript();
  const { orders } = size;
  const writers = await product.startWriters();
  try {
    const clock = await createProcessorClock({ web: product.fastPath.pid, ...writers.pids });
    stack.say('warming up worker and executor');
    await write(stack, sha, WARM_UP_ORDERS);
    await settledMessages();
    const idle = await measureIdle(clock);

    stack.say(`measuring ${orders} orders`);
    const sizesBefore = { database: await databaseBytes(), wal: await walBytes() };
    const fromUser = takeUsers(orders);
    await createLoadUsers(fromUser + orders, fromUser);
    const sale = await openBenchSale(orders);
    const commands = purchaseCommands(sha, sale, fromUser, orders, TOGETHER);
    const fileBefore = await redisFigure('aof_current_size');
    const before = clock();
    const filledAt = performance.now();
    await runPipeline(servers.redisUrl, commands);
    const afterFill = clock();
    await becomeOrders(sale, orders);
    const written = taken(minus(clock(), before), idle, performance.now() - filledAt, orders);
    // The purchases themselves are a step of their own.
    const purchaseUs = (afterFill.redis - before.redis) / orders;
    written.redis = Math.max(0, written.redis - purchaseUs);
    const fileBytes = ((await redisFigure('aof_current_size')) - fileBefore) / orders;
    const buyerBytes = await bytesPerBuyer(sale, orders);

    const paid = await measurePaid(stack, sale, clock, idle, Math.floor(orders * size.paidShare));
    const expired = await measureExpired(stack, sale, clock, idle);
    const result = {
      costs: { written: { cpuUs: written, bytes: 0 }, paid, expired },
      redisBusyUs: purchaseUs + syncUs(servers.dir, fileBytes * OF_ONE_SYNC) / OF_ONE_SYNC,
      redisBytesPerBuyer: buyerBytes,
      redisFileBytesPerPurchase: fileBytes,
      postgresBytesPerOrder: ((await databaseBytes()) - sizesBefore.database) / orders,
      walBytesPerOrder: ((await walBytes()) - sizesBefore.wal) / orders,
      pids: writers.pids,
    };
    await dropBenchSale(sale);
    return await after(result);
  } finally {
    await writers.stop();
  }
}

async function write({ servers, takeUsers }: Stack, sha: string, count: number): Promise<void> {
  const fromUser = takeUsers(count);
  await createLoadUsers(fromUser + count, fromUser);
  const sale = await openBenchSale(count);
  await runPipeline(servers.redisUrl, purchaseCommands(sha, sale, fromUser, count, TOGETHER));
  await becomeOrders(sale, count);
  await dropBenchSale(sale);
}

async function becomeOrders({ saleId }: BenchSale, count: number): Promise<void> {
  const { written } = await awaitOrders(saleId, count, TIMEOUT_MS);
  if (written !== count)
    throw new Error(`${written} of ${count} orders were written in ${TIMEOUT_MS / 1_000} s`);
}

async function measurePaid(
  { product, say }: Stack,
  { saleId }: BenchSale,
  clock: ProcessorClock,
  idle: Spent,
  count: number,
): Promise<StepCost> {
  say(`measuring ${count} payments`);
  const payments = await db().$queryRaw<
    { paymentId: string; orderNo: string; amountMinor: number; currency: string }[]
  >`
    SELECT p.id AS "paymentId", o.id::text AS "orderNo", p.amount_minor AS "amountMinor", p.currency
    FROM payments p JOIN orders o ON o.shard = p.shard AND o.id = p.order_id WHERE o.sale_id = ${saleId} LIMIT ${count}::int`;
  const limit = pLimit(PAYMENTS_AT_A_TIME);
  // The provider's own books are no work of the shop.
  await Promise.all(payments.map((payment) => limit(() => decideOutcome(payment, 'succeeded'))));
  const [before, from] = [clock(), performance.now()];
  await Promise.all(
    payments.map(({ paymentId, amountMinor, currency }) =>
      limit(async () => {
        const body = JSON.stringify({
          type: 'payment.succeeded',
          data: { paymentId, amountMinor, currency },
        });
        const url = `http://127.0.0.1:${product.fastPath.port}/api/payments/webhooks/sandbox`;
        const headers = signWebhook(newId('msg'), body);
        // A provider repeats its callback, too, where the shop is busy.
        const reply = await patiently(() => ask(url, { method: 'POST', body, headers }));
        if (reply.kind !== 'answered' || reply.httpStatus !== 200)
          throw new Error(`a payment was not taken: ${JSON.stringify(reply)}`);
      }),
    ),
  );
  await until('all payments are counted', async () => (await settledOrders(saleId)) >= payments.length);
  await settledMessages();
  return { cpuUs: taken(minus(clock(), before), idle, performance.now() - from, payments.length), bytes: 0 };
}

async function measureExpired(
  { say }: Stack,
  { saleId }: BenchSale,
  clock: ProcessorClock,
  idle: Spent,
): Promise<StepCost> {
  const count = await db().order.count({ where: { saleId, status: 'pending_payment' } });
  say(`measuring ${count} orders that expire`);
  const dueAt = await makeAllDue(saleId);
  const [before, from] = [clock(), performance.now()];
  const { left } = await awaitReleased(saleId, dueAt + TIMEOUT_MS);
  if (left > 0) throw new Error(`${left} units were not released in ${TIMEOUT_MS / 1_000} s`);
  await settledMessages();
  return { cpuUs: taken(minus(clock(), before), idle, performance.now() - from, count), bytes: 0 };
}

async function makeAllDue(saleId: string): Promise<number> {
  for (const inMs of DUE_IN_MS.slice(0, -1)) {
    const dueAt = await makeDue(saleId, inMs).catch(() => null);
    if (dueAt !== null) return dueAt;
  }
  return makeDue(saleId, DUE_IN_MS[2]);
}

async function settledOrders(saleId: string): Promise<number> {
  return db().order.count({ where: { saleId, stockSettledAt: { not: null } } });
}

const settledMessages = () =>
  until('all messages are sent', async () => {
    const [row] = await db().$queryRaw<{ due: number }[]>`
      SELECT count(*)::int AS due FROM outgoing_messages WHERE sent_at IS NULL AND next_attempt_at <= now()`;
    return row?.due === 0;
  });

async function bytesPerBuyer({ saleId }: BenchSale, count: number): Promise<number> {
  const used = Number(await stockRedis().call('MEMORY', 'USAGE', `sale:{${saleId}}:buyers`, 'SAMPLES', '0'));
  return used / count;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${TIMEOUT_MS / 1_000} s: ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}
