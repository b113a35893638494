import { once } from 'node:events';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { cacheRedis, closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { restock } from '@/lib/stock/restock';
import { bestOf } from '@/test/support/best-of';
import { Connection } from './testing/connection';
import { tokenFor } from './testing/send-purchase';
import { type FastPathProcess, startFastPath } from './testing/start-fast-path';

/** Allows for a machine that runs other tests too. */
const START_WITHIN_MS = 60_000;

let web: FastPathProcess;
const open: Connection[] = [];

beforeEach(async () => {
  web = await startFastPath({ script: 'cluster-process.ts', env: { WEB_CONCURRENCY: '2' } });
});
afterEach(async () => {
  for (const connection of open.splice(0)) connection.close();
  await web.stop();
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function connectTo(): Promise<[string, Connection]> {
  const connection = new Connection(web.origin);
  open.push(connection);
  const { headers } = await connection.ask('GET', '/who?');
  return [String(headers['x-process']), connection];
}

/** Opens one connection to each process; returns them by process id. */
async function connectToBoth(): Promise<Map<string, Connection>> {
  const found = new Map<string, Connection>();
  for (let tries = 0; found.size < 2 && tries < 20; tries += 1) {
    const [pid, connection] = await connectTo();
    if (!found.has(pid)) found.set(pid, connection);
  }
  expect(found.size).toBe(2);
  return found;
}

function isAlive(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

const buy = (connection: Connection, { saleId, gate }: SaleFixture, token: string) =>
  connection.ask('POST', `/api/sales/${saleId}/purchase/${gate}`, { 'x-entry-token': token });

describe('two web processes on one port', () => {
  it('[K5] both answer, give the same order number for the same token, and one that dies is replaced', async () => {
    const sale = await createSaleFixture({ total: 10 });
    const both = await connectToBoth();
    const token = tokenFor(sale.saleId, sale.userIds[0] ?? '');
    const answers: Record<string, unknown>[] = [];
    for (const connection of both.values()) answers.push((await buy(connection, sale, token)).body);
    expect(answers.map(({ replay }) => replay)).toEqual([false, true]);
    expect(new Set(answers.map(({ orderNo }) => orderNo)).size).toBe(1);

    const [victim = '', survivor = ''] = both.keys();
    process.kill(Number(victim), 'SIGKILL');
    await vi.waitFor(() => expect(isAlive(victim)).toBe(false), START_WITHIN_MS);
    const seen = new Set<string>();
    await vi.waitFor(
      async () => {
        seen.add((await connectTo())[0]);
        expect(seen.has(victim)).toBe(false);
        expect(seen).toContain(survivor);
        expect(seen.size).toBe(2);
      },
      { timeout: START_WITHIN_MS, interval: 50 },
    );
  });

  it('[K5] one that crashes again and again is replaced alone: the other never notices', async () => {
    const [survivor = '', connection] = [...(await connectToBoth())][0] ?? [];
    const replaced = new Set<string>();
    for (let times = 0; times < 3; times += 1) {
      const victim = await vi.waitFor(
        async () => {
          const found = await connectTo();
          expect([survivor, ...replaced]).not.toContain(found[0]);
          return found;
        },
        { timeout: START_WITHIN_MS, interval: 50 },
      );
      replaced.add(victim[0]);
      await victim[1].ask('GET', '/crash?').catch(() => undefined);
      await vi.waitFor(() => expect(isAlive(victim[0])).toBe(false), START_WITHIN_MS);
    }
    const again = await connection?.ask('GET', '/who?');
    expect([again?.headers['x-process'], web.child.exitCode]).toEqual([survivor, null]);
  });

  it('[B8 K5] both say sold out from memory, and both sell again within 250 ms of new stock', async () => {
    const sale = await createSaleFixture({ total: 1, limit: 1 });
    const both = [...(await connectToBoth()).values()];
    const [first] = both;
    if (!first) throw new Error('no connection');
    expect((await buy(first, sale, tokenFor(sale.saleId, 'first'))).status).toBe(202);
    for (const connection of both) {
      const answer = await buy(connection, sale, tokenFor(sale.saleId, 'stranger'));
      expect(answer).toMatchObject({ status: 409, body: { code: 'SOLD_OUT' } });
    }
    let round = 0;
    const sellAgain = async () => {
      round += 1;
      const requestId = `restock_${round}`;
      await restock({ saleId: sale.saleId, epoch: sale.epoch, delta: 2, requestId });
      const from = performance.now();
      await Promise.all(
        both.map(async (connection, at) => {
          // Uses the same token each time: a refusal does not use it up.
          const token = tokenFor(sale.saleId, `later_${round}_${at}`);
          let { status } = await buy(connection, sale, token);
          while (status !== 202 && performance.now() - from < 5_000)
            ({ status } = await buy(connection, sale, token));
          expect(status).toBe(202);
        }),
      );
      return performance.now() - from;
    };
    expect(await bestOf(250, sellAgain)).toBeLessThan(250);
  });

  it('[E2 K5] SIGTERM under load: both end, every purchase that Redis accepted was answered', async () => {
    const sale = await createSaleFixture({ total: 1_000_000 });
    const both = await connectToBoth();
    const answered = new Set<string>();
    const pids = new Set<string>();
    let isOver = false;
    const client = async (id: number) => {
      const [pid, connection] = await connectTo();
      pids.add(pid);
      for (let n = 0; !isOver; n += 1) {
        const token = tokenFor(sale.saleId, `user_${id}_${n}`);
        const answer = await buy(connection, sale, token).catch(() => null);
        if (answer?.status !== 202) return;
        answered.add(String(answer.body.orderNo));
      }
    };
    const clients = Promise.all(Array.from({ length: 20 }, (_, id) => client(id)));
    await vi.waitFor(() => expect(answered.size).toBeGreaterThan(300), START_WITHIN_MS);
    expect(pids).toEqual(new Set(both.keys()));
    const from = performance.now();
    web.child.kill('SIGTERM');
    const [code] = await once(web.child, 'exit');
    isOver = true;
    await clients;
    expect(code).toBe(0);
    expect(performance.now() - from).toBeLessThan(8_000);
    expect([...pids].filter(isAlive)).toEqual([]);
    const records = await stockRedis().hvals(keys.buyers(sale.saleId));
    expect(new Set(records.map((record) => record.split(',')[1]))).toEqual(answered);
    expect(Number(await cacheRedis().hget(keys.attempts(sale.saleId), 'accepted'))).toBe(answered.size);
  });
});
