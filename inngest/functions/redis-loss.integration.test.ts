import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { NextRequest } from 'next/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GET, POST, PUT } from '@/app/api/inngest/route';
import { createExecutor, type EmbeddedExecutor } from '@/inngest/executor/create-executor';
import { syncApp } from '@/inngest/executor/sync-app';
import { sendEvent } from '@/inngest/send-event';
import { buryEntry } from '@/lib/checkout/bury-entry';
import { guardStock } from '@/lib/checkout/guard-stock';
import { purchase } from '@/lib/checkout/purchase';
import { createSaleFixture, readStates } from '@/lib/checkout/testing/sale-fixture';
import { closeDb } from '@/lib/db/client';
import { reconcileSale } from '@/lib/desk/reconcile/reconcile-sale';
import { verifySale } from '@/lib/desk/verify/verify-sale';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { env } from '@/lib/env';
import { releaseOrderNos } from '@/lib/order/issue-order-no';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { relayOrders } from '@/lib/outbox/relay-orders';
import { silentLog } from '@/lib/outbox/testing/silent-log';
import { closeRedis, stockRedis } from '@/lib/redis/client';

/** The app as the executor sees it: the real route handlers over HTTP. */
const app = createServer(async (incoming, outgoing) => {
  const method = incoming.method ?? 'GET';
  const url = `http://${incoming.headers.host}${incoming.url}`;
  const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const body = method === 'GET' ? undefined : new Uint8Array(await buffer(incoming));
  const handle = { GET, POST, PUT }[method];
  if (!handle) throw new Error(`unexpected ${method}`);
  const answer = await handle(new NextRequest(url, { method, headers, body }), {});
  outgoing
    .writeHead(answer.status, Object.fromEntries(answer.headers))
    .end(Buffer.from(await answer.arrayBuffer()));
});

let executor: EmbeddedExecutor;
const stop = new AbortController();
let relays: Promise<void>[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  const {
    DATABASE_URL: databaseUrl = '',
    INNGEST_EVENT_KEY: eventKey = '',
    INNGEST_SIGNING_KEY: signingKey = '',
  } = process.env;
  executor = createExecutor({ databaseUrl, eventKey, signingKey, port: 0, backoffMs: [20] });
  await executor.start();
  process.env.INNGEST_BASE_URL = executor.url;
  process.env.INNGEST_SERVE_ORIGIN = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  expect(await syncApp(env().serveOrigin, signingKey)).toBeUndefined();
  const common = { send: sendEvent, log: silentLog, bury: buryEntry };
  relays = ['test-1', 'test-2'].map((consumer) => relayOrders({ ...common, consumer }, stop.signal));
});

afterAll(async () => {
  stop.abort();
  await Promise.all(relays);
  await executor.stop();
  app.close();
  await releaseOrderNos().catch(() => undefined);
  await closeRedis();
  await closeDb();
});

it('[J4 E3 C6 C8] relays and executor at work, all of Redis lost three times: each 202 is an order, nothing is oversold', async () => {
  const [TOTAL, USERS] = [200, 400];
  const sale = await createSaleFixture({ total: TOTAL, users: USERS });
  const { saleId, gate } = sale;
  const accepted = new Map<string, string>();
  const losses = [60, 140, 260];
  const waiting = [...sale.userIds];
  const shopper = async () => {
    for (let userId = waiting.shift(); userId; userId = waiting.shift()) {
      if (losses.includes(USERS - waiting.length)) await stockRedis().flushdb();
      const claims = {
        userId,
        saleId,
        level: 0,
        jti: `jti_${userId}`,
        expiresAt: Date.now() + 600_000,
        device: '',
      };
      const request = { saleId, gate, entryToken: signEntryToken(claims), body: '' };
      let reply = await purchase(request);
      for (let attempt = 0; reply.status === 503 && attempt < 60; attempt += 1)
        reply = await purchase(request);
      expect([202, 409]).toContain(reply.status);
      if (reply.status === 202) accepted.set(JSON.parse(reply.body).orderNo, userId);
    }
  };
  await Promise.all(Array.from({ length: 16 }, shopper));
  await guardStock();
  await expect
    .poll(
      async () => (await readOutboxDepth(saleId)).depth + accepted.size - (await readStates(saleId)).size,
      { timeout: 20_000 },
    )
    .toBe(0);

  const orders = await readStates(saleId);
  expect([...accepted.keys()].filter((orderNo) => orders.get(orderNo)?.status !== 'pending_payment')).toEqual(
    [],
  );
  expect(accepted.size).toBe(TOTAL);
  const found = await reconcileSale(saleId, { cause: 'demand', isRepairing: false, graceMs: 2_000 });
  expect(found).toMatchObject({ status: 'done', report: { found: 0 } });
  const verified = await verifySale(saleId);
  expect(verified?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]))).toEqual([]);
});
