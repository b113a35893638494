import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { saveBreaker } from '@/lib/breaker/save-breaker';
import type { RunState } from '@/lib/contract/words/queue';
import { closeDb, db } from '@/lib/db/client';
import { encodeCursor } from '@/lib/http/cursor';
import { claimMessages, postponeMessage } from '@/lib/outbox/claim-messages';
import { ensureGroup, GROUP } from '@/lib/outbox/group';
import { openSale } from '@/lib/outbox/open-sales';
import { putMessage } from '@/lib/outbox/put-message';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { buyForAll, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { makeUser } from '@/test/support/make-sale';
import { listMessages } from './list-messages';
import { listRuns } from './list-runs';
import { listOutboxes } from './read-outboxes';
import { readOverview } from './read-overview';
import { retryMessage } from './retry-message';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});
beforeEach(async () => {
  await db().outgoingMessage.deleteMany();
  await db().$executeRaw`DELETE FROM executor.runs`;
});

async function newShop(users = 3) {
  const sale = await createSaleFixture({ users });
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  const merchant: Actor = { userId: merchantId, role: 'merchant' };
  return { ...sale, merchant };
}

async function put(saleId: string, topic: 'points' | 'orders/paid' = 'points'): Promise<string> {
  await putMessage(db(), topic, { saleId, orderNo: '1024', kind: 'earned' });
  return String((await db().outgoingMessage.findFirstOrThrow({ orderBy: { id: 'desc' } })).id);
}

describe('outboxes', () => {
  it('[E10] depth, what is in hand, age, what was taken and workers are told; only to whom the sale belongs', async () => {
    const [shop, other] = [await newShop(), await newShop()];
    await openSale(shop.saleId);
    const find = async (actor: Actor, filter: { state: 'waiting' | 'all'; saleId?: string }) =>
      (await listOutboxes(actor, { limit: 100 }, filter)).outboxes;
    await ensureGroup(shop.saleId);
    await buyForAll(shop);
    const key = keys.outbox(shop.saleId);
    const reply = await stockRedis().xreadgroup('GROUP', GROUP, 'relay-1', 'COUNT', 2, 'STREAMS', key, '>');
    const [[, entries = []] = []] = reply as [string, [string, unknown][]][];
    const first = entries[0]?.[0] ?? '';
    await stockRedis().xack(key, GROUP, first);
    await stockRedis().xdel(key, first);
    const [outbox] = await find(shop.merchant, { state: 'waiting' });
    expect(outbox).toMatchObject({
      saleId: shop.saleId,
      depth: 2,
      pending: 1,
      taken: 1,
    });
    expect(outbox?.oldestAgeMs).toBeGreaterThanOrEqual(0);
    expect((await find(other.merchant, { state: 'all' })).map(({ saleId }) => saleId)).toEqual([
      other.saleId,
    ]);
    const operator = await makeUser('operator');
    expect(await find(operator, { state: 'all', saleId: shop.saleId })).toHaveLength(1);
    expect(await find(operator, { state: 'all', saleId: 'sale_nowhere' })).toEqual([]);
    const loadOf = async () => (await readOverview(shop.merchant)).outbox;
    expect(await loadOf()).toMatchObject({ backlog: 2, workers: 0, sales: 1, suggestion: { why: 'none' } });
    await saveBreaker({ service: 'mail', state: 'closed', since: new Date(), lastError: null });
    await saveBreaker({ service: 'points', state: 'closed', since: new Date(), lastError: null });
    expect(await loadOf()).toMatchObject({ backlog: 2, workers: 1 });
    await db().$executeRaw`UPDATE breakers SET seen_at = now() - interval '2 minutes'`;
    expect(await loadOf()).toMatchObject({ workers: 0 });
    expect((await readOverview(other.merchant)).outbox).toMatchObject({ backlog: 0, sales: 1 });
  });

  it('[E10] an open sale whose outbox nobody has made yet is empty; pages are by sale', async () => {
    const merchant: Actor = (await newShop()).merchant;
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { saleId } = await createSaleFixture({ users: 1 });
      await db().sale.update({ where: { id: saleId }, data: { merchantId: merchant.userId } });
      await stockRedis().del(keys.outbox(saleId));
      await openSale(saleId);
      ids.push(saleId);
    }
    const one = await listOutboxes(merchant, { limit: 2 }, { state: 'all' });
    const two = await listOutboxes(merchant, { limit: 2, cursor: one.nextCursor ?? '' }, { state: 'all' });
    const seen = [...one.outboxes, ...two.outboxes].map(({ saleId }) => saleId);
    expect(seen.filter((id) => ids.includes(id))).toEqual([...ids].sort());
    expect(one.outboxes[0]).toMatchObject({ depth: 0, pending: 0, taken: 0 });
    expect((await listOutboxes(merchant, { limit: 9 }, { state: 'waiting' })).outboxes).toEqual([]);
  });
});

describe('messages', () => {
  it('[E6 L4] are listed by state, topic and sale, page by page; merchants see their own', async () => {
    const [shop, other] = [await newShop(), await newShop()];
    const ids = [await put(shop.saleId), await put(shop.saleId, 'orders/paid'), await put(other.saleId)];
    await claimMessages('points', 1);
    await postponeMessage(ids[0] ?? '', 'the points service is asleep');
    const operator = await makeUser('operator');
    const find = async (actor: Actor, filter: Partial<Parameters<typeof listMessages>[2]> = {}) =>
      (await listMessages(actor, { limit: 10 }, { state: 'waiting', ...filter }))?.messages.map(
        ({ id }) => id,
      );
    expect(await find(operator)).toEqual([...ids].reverse());
    expect(await find(operator, { saleId: other.saleId })).toEqual([ids[2]]);
    expect(await find(shop.merchant)).toEqual([ids[1], ids[0]]);
    expect(await find(shop.merchant, { topic: 'orders/paid' })).toEqual([ids[1]]);
    expect(await find(other.merchant, { saleId: shop.saleId })).toEqual([]);
    const failing = await listMessages(shop.merchant, { limit: 10 }, { state: 'failing' });
    expect(failing?.messages).toMatchObject([
      {
        id: ids[0],
        attempts: 1,
        lastError: 'the points service is asleep',
        payload: { saleId: shop.saleId },
      },
    ]);
    const first = await listMessages(operator, { limit: 2 }, { state: 'waiting' });
    const rest = await listMessages(
      operator,
      { limit: 2, cursor: first?.nextCursor ?? '' },
      { state: 'waiting' },
    );
    expect([...(first?.messages ?? []), ...(rest?.messages ?? [])].map(({ id }) => id)).toEqual(
      [...ids].reverse(),
    );
    expect(rest?.nextCursor).toBeNull();
    expect(await listMessages(operator, { limit: 2, cursor: 'AAAA' }, { state: 'waiting' })).toBeNull();
    expect((await readOverview(shop.merchant)).messages).toMatchObject([
      { topic: 'orders/paid', waiting: 1, failing: 0 },
      { topic: 'points', waiting: 1, failing: 1 },
    ]);
  });

  it('[E6 L4] one that failed is tried again now, once, and that is on record; one in hand is left alone', async () => {
    const [shop, other] = [await newShop(), await newShop()];
    const id = await put(shop.saleId);
    const isDue = async () => (await claimMessages('points', 1)).length === 1;
    expect(await retryMessage(shop.merchant, id)).toEqual({ status: 'not_waiting' });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await db().$executeRaw`UPDATE outgoing_messages SET next_attempt_at = now()`;
      expect(await isDue()).toBe(true);
      expect(await retryMessage(shop.merchant, id)).toEqual({ status: 'not_waiting' });
      await postponeMessage(id, 'asleep');
    }
    await db().$executeRaw`UPDATE outgoing_messages SET next_attempt_at = now() + interval '1 minute'`;
    expect(await isDue()).toBe(false);
    for (const actor of [other.merchant, { userId: 'user_1', role: 'auditor' } as const])
      expect(await retryMessage(actor, id)).toEqual({ status: 'not_found' });
    for (const nonsense of ['x', '99999999', '1'.repeat(30)])
      expect(await retryMessage(shop.merchant, nonsense)).toEqual({ status: 'not_found' });
    expect(await isDue()).toBe(false);
    expect(await retryMessage(shop.merchant, id)).toEqual({ status: 'due' });
    expect(await isDue()).toBe(true);
    expect(await db().auditEntry.findMany({ where: { subjectId: id } })).toMatchObject([
      { action: 'message.retry', actorId: shop.merchant.userId, before: { topic: 'points', attempts: 2 } },
    ]);
  });
});

describe('executor runs', () => {
  /** Adds a run as the executor stores it. */
  async function addRun(
    id: string,
    sales: string | string[],
    { dueInSec = 0, attempt = 0, lease = null as string | null, error = null as string | null } = {},
  ) {
    const data = typeof sales === 'string' ? { saleId: sales } : { saleIds: sales };
    const payload = JSON.stringify({ name: 'orders/due', data });
    await db().$executeRaw`
      INSERT INTO executor.functions (id, app_id, url, max_attempts, config)
      VALUES ('seckill-release-unpaid', 'seckill', 'u', 5, '{}') ON CONFLICT DO NOTHING`;
    await db().$executeRaw`
      INSERT INTO executor.events (id, name, payload, received_at) VALUES (${id}, 'orders/due', ${payload}::json, now())`;
    await db().$executeRaw`
      INSERT INTO executor.runs (id, function_id, event_id, status, error, created_at, ended_at)
      VALUES (${id}, 'seckill-release-unpaid', ${id}, ${error === null ? 'RUNNING' : 'FAILED'},
              ${error && JSON.stringify({ name: 'Error', message: error })}::json, now(),
              ${error === null ? null : new Date()})`;
    if (error !== null) return;
    await db().$executeRaw`
      INSERT INTO executor.queue (run_id, function_id, due_at, attempt, leased_by)
      VALUES (${id}, 'seckill-release-unpaid', now() + make_interval(secs => ${dueInSec}), ${attempt}, ${lease})`;
  }

  it('[E10 E6] run, sleep until they wake, are tried again or have failed; merchants see their own', async () => {
    const [shop, other] = [await newShop(), await newShop()];
    const { saleId } = shop;
    const name = (what: string) => `${what}_${saleId.slice(-10)}`;
    await addRun(name('running'), saleId, { dueInSec: 15, lease: 'executor-1' });
    await addRun(name('due'), saleId, { dueInSec: -1 });
    await addRun(name('later'), saleId, { dueInSec: 900 });
    await addRun(name('sooner'), saleId, { dueInSec: 600 });
    await addRun(name('retrying'), saleId, { dueInSec: 30, attempt: 2 });
    await addRun(name('failed'), saleId, { error: 'x'.repeat(1_000) });
    const find = async (actor: Actor, state: RunState) =>
      (await listRuns(actor, { limit: 10 }, { state }))?.runs.map(({ runId }) => runId);
    expect(await find(shop.merchant, 'running')).toEqual([name('due'), name('running')]);
    expect(await find(shop.merchant, 'sleeping')).toEqual([name('sooner'), name('later')]);
    expect(await find(shop.merchant, 'retrying')).toEqual([name('retrying')]);
    const failed = await listRuns(shop.merchant, { limit: 10 }, { state: 'failed' });
    expect(failed?.runs).toMatchObject([
      { functionId: 'release-unpaid', event: 'orders/due', saleId, state: 'failed', attempts: null },
    ]);
    expect(failed?.runs[0]?.error).toHaveLength(500);
    for (const state of ['running', 'sleeping', 'failed'] as const)
      expect(await find(other.merchant, state)).toEqual([]);
    const operator = await makeUser('operator');
    const first = await listRuns(operator, { limit: 1 }, { state: 'sleeping', saleId });
    const second = await listRuns(
      operator,
      { limit: 1, cursor: first?.nextCursor ?? '' },
      { state: 'sleeping' },
    );
    expect([first, second].map((page) => page?.runs[0]?.runId)).toEqual([name('sooner'), name('later')]);
    expect(second?.nextCursor).toBeNull();
    const { runs } = await readOverview(shop.merchant);
    expect(runs).toMatchObject({ running: 2, sleeping: 2, retrying: 1, failed: 1 });

    // A run for several sales is listed for each merchant, without the others' sales and errors.
    await addRun(name('shared'), [saleId, other.saleId], { error: 'about another sale' });
    for (const { merchant } of [shop, other]) {
      const shared = (await listRuns(merchant, { limit: 10 }, { state: 'failed' }))?.runs;
      expect(shared?.[0]).toMatchObject({ runId: name('shared'), saleId: null, error: null });
    }
    const all = await listRuns(operator, { limit: 10 }, { state: 'failed', saleId: other.saleId });
    expect(all?.runs).toMatchObject([{ runId: name('shared'), error: 'about another sale' }]);
    expect((await readOverview(other.merchant)).runs).toMatchObject({ failed: 1 });
    expect(runs?.nextWakeAt).toBe(first?.runs[0]?.at);
  });

  it('[E10] foreign cursors are refused', async () => {
    const operator = await makeUser('operator');
    const at = new Date().toISOString();
    for (const key of ['nonsense', '[]', JSON.stringify([at, "'"]), JSON.stringify(['soon', '1'])])
      for (const state of ['sleeping', 'failed'] as const)
        expect(await listRuns(operator, { limit: 5, cursor: encodeCursor(key) }, { state })).toBeNull();
    const run = encodeCursor(JSON.stringify([at, 'run_1']));
    expect(await listRuns(operator, { limit: 5, cursor: run }, { state: 'sleeping' })).toBeNull();
    expect(await listRuns(operator, { limit: 5, cursor: run }, { state: 'failed' })).toMatchObject({
      executor: 'embedded',
    });
  });
});

it('[E6] open dead letters are counted by consumer', async () => {
  const order = await createOrderFixture();
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: order.saleId } });
  const letter = {
    consumer: 'mail',
    messageId: order.orderNo,
    saleId: order.saleId,
    payload: {},
    error: 'x',
  };
  await recordDeadLetter(letter);
  expect((await readOverview({ userId: merchantId, role: 'merchant' })).deadLetters).toEqual([
    { consumer: 'mail', open: 1 },
  ]);
});
