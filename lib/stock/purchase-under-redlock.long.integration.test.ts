import { type ChildProcess, spawn } from 'node:child_process';
import { on } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import { newId } from '@/lib/ids/new-id';
import { purchase } from '@/lib/purchase/purchase';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { eventually } from '@/test/support/eventually';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { startNodes, type TestNodes } from '@/test/support/start-lock-nodes';
import { purchaseUnderLock } from './purchase-under-lock';
import { readBuyer } from './read-buyer';
import { readStock } from './read-stock';
import { releaseStock } from './release-stock';
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
  expect(await countHolders(saleId)).toBe(0);
});

it('[D2] gives up after LOCK_ACQUIRE_TIMEOUT_MS when somebody else has a majority', async () => {
  const saleId = await openSale();
  const name = keys.lockHolder(`purchase:${saleId}`);
  await Promise.all(servers.nodes.slice(0, 3).map((node) => node.set(name, 'somebody else')));
  const askedAt = performance.now();
  expect(await purchaseUnderLock(purchaseOf(saleId, 'ada'))).toEqual({ status: 'busy' });
  const tookMs = performance.now() - askedAt;
  expect(tookMs).toBeGreaterThan(env().lockAcquireTimeoutMs - 100);
  // It released the locks that it had won on the other two.
  expect(await countHolders(saleId)).toBe(3);
  await Promise.all(servers.nodes.map((node) => node.del(name)));
  expect(await purchaseUnderLock(purchaseOf(saleId, 'ada'))).toMatchObject({ status: 'accepted' });
});

it('[C3 D4 D5] a holder that was stopped until its lease ran out sells nothing', async () => {
  const saleId = await openSale({ total: 1 });
  const { child, next } = run('stopped-buyer', [saleId, 'ada']);
  const { step, fence } = await next();
  expect(step).toBe('read');
  child.kill('SIGSTOP');
  await eventually(async () => expect(await countHolders(saleId)).toBe(0));
  // Afterwards everything looks again as the stopped holder has read it.
  const between = purchaseOf(saleId, 'ben');
  expect(await purchaseUnderLock(between)).toMatchObject({ status: 'accepted' });
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
  await Promise.all(servers.nodes.map((node) => node.flushall()));
  const second = purchaseOf(saleId, 'ben');
  expect(await purchaseUnderLock(second)).toMatchObject({ status: 'accepted' });
  child.stdin.write('go on\n');
  const { status } = await next();
  // Its write is refused by the fence or comes too late. If it still reads under its lock, it finds nothing left.
  expect(['busy', 'sold_out']).toContain(status);
  expect(await readStock(saleId)).toMatchObject({ total: 1, available: 0, held: 1 });
  expect(await outboxLength(saleId)).toBe(1);
});

it('[D4 J4] sells with two servers dead, refuses with three, and sells when they are back', async () => {
  const { sale } = await makeSale({ strategy: 'lock', totalStock: 20 });
  const { saleId } = sale;
  const buy = async () => {
    const { userId } = await makeUser();
    const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    const rest = { level: 0, jti: newId('jti'), expiresAt: Date.now() + 60_000, device: '' };
    const entryToken = signEntryToken({ userId, saleId, ...rest });
    const reply = await purchase({ saleId, gate, entryToken, body: '' });
    return { http: reply.status, ...JSON.parse(reply.body.toString()) };
  };
  // Servers that were stopped a moment ago may not have come back yet.
  await eventually(async () => expect(await buy()).toMatchObject({ http: 202 }));
  const before = await readStock(saleId);

  await Promise.all([servers.kill(0), servers.kill(3)]);
  await eventually(async () => expect(await buy()).toMatchObject({ http: 202 }));
  expect(await buy()).toMatchObject({ http: 202 });
  expect((await readStock(saleId))?.held).toBe((before?.held ?? 0) + 2);

  await servers.kill(4);
  await eventually(async () => {
    const error = await purchaseUnderLock(purchaseOf(await openSale(), 'ada')).catch((reason) => reason);
    expect(isOutage(error)).toBe(true);
  });
  const answers = await Promise.all(Array.from({ length: 5 }, buy));
  for (const answer of answers) expect(answer).toMatchObject({ http: 503, code: 'STOCK_UNAVAILABLE' });
  expect(await readStock(saleId)).toMatchObject({ held: (before?.held ?? 0) + 2 });

  await Promise.all([0, 3, 4].map((i) => servers.revive(i)));
  await eventually(async () => expect(await buy()).toMatchObject({ http: 202 }));
  expect(await readStock(saleId)).toMatchObject({ held: (before?.held ?? 0) + 3 });
});
