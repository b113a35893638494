import { Agent, request } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { cacheRedis, closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { eventually } from '@/test/support/eventually';
import { rawGet } from './testing/raw-get';
import { sendPurchase, tokenFor } from './testing/send-purchase';
import { startFastPath } from './testing/start-fast-path';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const CLIENTS = 50;
const SIGNAL_AFTER = 300;

/** Returns the order number of an accepted purchase, or why there is none. */
function buy(origin: string, { saleId, gate }: SaleFixture, agent: Agent, userId: string) {
  return new Promise<{ orderNo?: string; error?: string }>((resolve) => {
    const headers = { 'x-entry-token': tokenFor(saleId, userId) };
    const path = `${origin}/api/sales/${saleId}/purchase/${gate}`;
    const sent = request(path, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', (error) => resolve({ error: error.message }));
      response.on('end', () => resolve(response.statusCode === 202 ? JSON.parse(text) : { error: text }));
    });
    sent.on('error', (error) => resolve({ error: error.message }));
    sent.end();
  });
}

describe('SIGTERM', () => {
  it('[E2 E10] under load: every purchase that Redis accepted was answered, and the process ends in 8 s', async () => {
    const sale = await createSaleFixture({ total: 1_000_000 });
    const web = await startFastPath();
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const answered = new Set<string>();
    let signalledAt = 0;
    let afterSignal = 0;
    let isOver = false;
    const client = async (id: number) => {
      for (let n = 0; !isOver; n += 1) {
        const { orderNo, error } = await buy(web.origin, sale, agent, `user_${id}_${n}`);
        if (error !== undefined) return;
        answered.add(String(orderNo));
        if (signalledAt > 0) afterSignal += 1;
        else if (answered.size >= SIGNAL_AFTER) {
          signalledAt = performance.now();
          web.child.kill('SIGTERM');
        }
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, id) => client(id)));
    const code =
      (await web.child.exitCode) ?? (await new Promise((resolve) => web.child.once('exit', resolve)));
    isOver = true;
    await clients;
    agent.destroy();
    expect(code).toBe(0);
    expect(answered.size).toBeGreaterThanOrEqual(SIGNAL_AFTER);
    // Some purchases were on their way when the signal came; otherwise the test would prove nothing.
    expect(afterSignal).toBeGreaterThan(0);
    const records = await stockRedis().hvals(keys.buyers(sale.saleId));
    expect(new Set(records.map((record) => record.split(',')[1]))).toEqual(answered);
    // The process wrote its counts from memory before it ended.
    expect(Number(await cacheRedis().hget(keys.attempts(sale.saleId), 'accepted'))).toBe(answered.size);
  });

  it('[K7] for DRAIN_MS it says that it ends, goes on selling, keeps no connection, and leaves its streams alone', async () => {
    const sale = await createSaleFixture({ total: 1_000 });
    const web = await startFastPath({ env: { DRAIN_MS: '4000' } });
    const agent = new Agent({ keepAlive: true });
    // A balancer keeps connections that it used before.
    expect(await buy(web.origin, sale, agent, 'user_before')).toHaveProperty('orderNo');
    let streamEndedMs = 0;
    const stream = request(`${web.origin}/api/sales/${sale.saleId}/events`, (response) => {
      response.resume().once('close', () => {
        streamEndedMs = performance.now();
      });
    });
    stream.end();
    await new Promise((resolve) => stream.once('response', resolve));

    const toldAt = performance.now();
    const ended = web.stop();
    const readiness = async () => JSON.parse((await rawGet(`${web.origin}/readyz`)).body.toString());
    await eventually(
      async () =>
        expect(await readiness()).toMatchObject({
          ready: false,
          accepting: { ok: false, problem: 'not_ready' },
        }),
      20,
    );
    expect(await buy(web.origin, sale, agent, 'user_kept')).toHaveProperty('orderNo');
    const late = await sendPurchase(web.origin, sale, tokenFor(sale.saleId, 'user_late'));
    expect([late.status, late.raw.headers.connection]).toEqual([202, 'close']);
    expect((await rawGet(`${web.origin}/livez`)).headers.connection).toBe('close');
    expect(streamEndedMs).toBe(0);

    expect(await ended).toBe(0);
    expect(streamEndedMs - toldAt).toBeGreaterThan(3_900);
    await expect(rawGet(`${web.origin}/livez`)).rejects.toThrow('ECONNREFUSED');
    agent.destroy();
  });
});
