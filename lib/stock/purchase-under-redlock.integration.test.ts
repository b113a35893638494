import { type ChildProcess, spawn } from 'node:child_process';
import { on } from 'node:events';
import { createInterface } from 'node:readline';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { purchase } from '@/lib/checkout/purchase/purchase';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import { newId } from '@/lib/ids/new-id';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { bestOf } from '@/test/support/best-of';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { startNodes, type TestNodes } from '@/test/support/start-lock-nodes';
import { startStopwatch } from '@/test/support/stopwatch';
import { purchaseUnderLock } from './purchase-under-lock';
import { readBuyer } from './read-buyer';
import { readStock } from './read-stock';
import { releaseStock } from './release-stock';
import { buyUnderLock } from './testing/buy-under-lock';
import { openSale, purchaseOf } from './testing/open-sale';

/**
 * Tests the lock strategy with its locks on five servers, as `LOCK_REDIS_URLS` sets it. The stock stays on its own
 * server.
 */
let servers: TestNodes;
const children: ChildProcess[] = [];

beforeAll(async () => {
  servers = await startNodes(5);
  process.env.LOCK_REDIS_URLS = servers.urls.join(',');
  expect(env().lockRedisUrls).toEqual(servers.urls);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
  await servers.stop();
});

/** Runs a file of `testing/` in a process of its own. `next` returns the next line that it prints. */
function run(file: string, args: string[]) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=react-server', `lib/stock/testing/${file}.ts`, ...args],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  children.push(child);
  const lines = on(createInterface(child.stdout), 'line');
  return { child, next: async () => JSON.parse((await lines.next()).value[0]) };
}

const outboxLength = (saleId: string) => stockRedis().xlen(keys.outbox(saleId));

/** Tells servers something until each has answered: what they are asked is given up soon, and on a busy machine too soon. */
const tell = (some: readonly Redis[], what: (node: Redis) => Promise<unknown>) =>
  vi.waitFor(() => Promise.all(some.map(what)), 60_000);

/** Counts on how many of the servers that answer the lock of a sale is held. */
async function countHolders(saleId: string): Promise<number> {
  const name = keys.lockHolder(`purchase:${saleId}`);
  const answers = await Promise.allSettled(servers.nodes.map((node) => node.exists(name)));
  return answers.filter((answer) => answer.status === 'fulfilled' && answer.value === 1).length;
}

it('[C3 D2 D4] 200 buyers in four processes race for 20 units: 20 are sold, none twice', async () => {
  const saleId = await openSale({ total: 20 });
  const crowds = ['a', 'b', 'c', 'd'].map((name, i) => run('crowd', [saleId, name, '50', `${i + 1}00000`]));
  await Promise.all(crowds.map(async ({ next }) => expect(await next()).toBe('ready')));
  for (const { child } of crowds) child.stdin.write('go\n');
  const counts: Record<string, number>[] = await Promise.all(crowds.map(({ next }) => next()));
  const sum = (status: string) => counts.reduce((all, count) => all + (count[status] ?? 0), 0);
  expect({ accepted: sum('accepted'), refused: sum('sold_out') }).toEqual({ accepted: 20, refused: 180 });
  expect(await readStock(saleId)).toMatchObject({ total: 20, available: 0, held: 20, sold: 0 });
  expect(await outboxLength(saleId)).toBe(20);
  expect(await stockRedis().hlen(keys.buyers(saleId))).toBe(20);
  // The locks live only on the five servers, and all of them were released.
  expect(await stockRedis().exists(keys.lockFence(`purchase:${saleId}`))).toBe(0);
  await expect.poll(() => countHolders(saleId)).toBe(0);
});

it('[D2] gives up after LOCK_ACQUIRE_TIMEOUT_MS when somebody else has a majority', async () => {
  const saleId = await openSale();
  const name = keys.lockHolder(`purchase:${saleId}`);
  await tell(servers.nodes.slice(0, 3), (node) => node.set(name, 'somebody else'));
  const giveUp = async () => {
    const askedAt = performance.now();
    expect(await purchaseUnderLock(purchaseOf(saleId, 'ada'))).toEqual({ status: 'busy' });
    const tookMs = performance.now() - askedAt;
    expect(tookMs).toBeGreaterThan(env().lockAcquireTimeoutMs - 100);
    return tookMs;
  };
  const mostMs = env().lockAcquireTimeoutMs + 2_000;
  expect(await bestOf(mostMs, giveUp)).toBeLessThan(mostMs);
  // It released the locks that it had won on the other two. A server that answers late is asked again.
  await expect.poll(() => countHolders(saleId)).toBe(3);
  await tell(servers.nodes, (node) => node.del(name));
  expect(await buyUnderLock(purchaseOf(saleId, 'ada'))).toMatchObject({ status: 'accepted' });
});

it('[C3 D4 D5] a holder that was stopped until its lease ran out sells nothing', async () => {
  const saleId = await openSale({ total: 1 });
  const { child, next } = run('stopped-buyer', [saleId, 'ada']);
  const { step, fence } = await next();
  expect(step).toBe('read');
  child.kill('SIGSTOP');
  await vi.waitFor(async () => expect(await countHolders(saleId)).toBe(0), 30_000);
  // Afterwards everything looks again as the stopped holder has read it.
  const between = purchaseOf(saleId, 'ben');
  expect(await buyUnderLock(between)).toMatchObject({ status: 'accepted' });
  expect(await releaseStock(between)).toEqual({ status: 'released' });
  expect(Number(await stockRedis().hget(keys.sale(saleId), 'fence'))).toBeGreaterThan(fence);
  child.kill('SIGCONT');
  child.stdin.write('go on\n');
  expect(await next()).toEqual({ step: 'answered', status: 'busy' });
  expect(await readStock(saleId)).toMatchObject({ available: 1, held: 0 });
  expect(await readBuyer(saleId, 'ada')).toEqual([]);
});

it('[C3 D4 D5] a lock that the servers forgot, so that two hold it, sells nothing twice', async () => {
  const saleId = await openSale({ total: 1 });
  const { child, next } = run('stopped-buyer', [saleId, 'ada']);
  expect(await next()).toMatchObject({ step: 'read' });
  await tell(servers.nodes, (node) => node.flushall());
  const second = purchaseOf(saleId, 'ben');
  expect(await buyUnderLock(second)).toMatchObject({ status: 'accepted' });
  child.stdin.write('go on\n');
  const { status } = await next();
  // Its write is refused by the fence or comes too late. If it still reads under its lock, it finds nothing left.
  expect(['busy', 'sold_out']).toContain(status);
  expect(await readStock(saleId)).toMatchObject({ total: 1, available: 0, held: 1 });
  expect(await outboxLength(saleId)).toBe(1);
});

it('[D4] two servers that answer nothing slow the first purchases down, not the others', async () => {
  const saleId = await openSale({ total: 200 });
  servers.freeze(1);
  servers.freeze(4);
  try {
    await vi.waitFor(async () => {
      const took = startStopwatch();
      expect(await purchaseUnderLock(purchaseOf(saleId, newId('usr')))).toMatchObject({ status: 'accepted' });
      expect(took()).toBeLessThan(100);
    }, 60_000);
  } finally {
    servers.thaw(1);
    servers.thaw(4);
  }
});

it('[D4 J4] sells with two servers dead, refuses at once with three, and sells when they are back', async () => {
  const { sale } = await makeSale({ strategy: 'lock', totalStock: 20 });
  const { saleId } = sale;
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const newToken = async () => {
    const { userId } = await makeUser();
    const rest = { level: 0, jti: newId('jti'), expiresAt: Date.now() + 600_000, device: '' };
    return signEntryToken({ userId, saleId, ...rest });
  };
  const buyWith = async (entryToken: string) => {
    const reply = await purchase({ saleId, gate, entryToken, body: '' });
    return { http: reply.status, ...JSON.parse(reply.body.toString()) };
  };
  const buy = async () => buyWith(await newToken());
  /** Buys as a page does: comes again with the same token. */
  const insist = async () => {
    const token = await newToken();
    await vi.waitFor(async () => expect(await buyWith(token)).toMatchObject({ http: 202 }), 60_000);
  };
  // Servers that were stopped a moment ago may not have come back yet.
  await insist();
  const before = await readStock(saleId);

  await Promise.all([servers.kill(0), servers.kill(3)]);
  await insist();
  await insist();
  expect((await readStock(saleId))?.held).toBe((before?.held ?? 0) + 2);

  await servers.kill(4);
  await vi.waitFor(async () => {
    const error = await purchaseUnderLock(purchaseOf(await openSale(), 'ada')).catch((reason) => reason);
    expect(isOutage(error)).toBe(true);
  }, 60_000);
  const refuse = async () => {
    const askedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 5 }, buy));
    for (const answer of answers) expect(answer).toMatchObject({ http: 503, code: 'STOCK_UNAVAILABLE' });
    return performance.now() - askedAt;
  };
  expect(await bestOf(3_000, refuse)).toBeLessThan(3_000);
  expect(await readStock(saleId)).toMatchObject({ held: (before?.held ?? 0) + 2 });

  await Promise.all([0, 3, 4].map((i) => servers.revive(i)));
  await insist();
  expect(await readStock(saleId)).toMatchObject({ held: (before?.held ?? 0) + 3 });
});
