import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { closeDb } from '@/lib/db/client';
import { verifyEntryToken } from '@/lib/entry/verify-entry-token';
import { deliverBatch } from '@/lib/outbox/deliver-batch';
import { toEntries } from '@/lib/outbox/group';
import { unpackOrders } from '@/lib/outbox/order-batch';
import { silentLog } from '@/lib/outbox/testing/silent-log';
import { purchase } from '@/lib/purchase/purchase';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { createOrders } from '@/lib/settlement/create-orders';
import { flushSpans, type OtlpSpan } from '@/lib/trace/export-spans';

type Call = { path: string; key?: string; service: string; spans: OtlpSpan[] };
const calls: Call[] = [];
let answer = 200;
let collector: Server;

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { resource, scopeSpans } = JSON.parse(body).resourceSpans[0];
      const service = resource.attributes[0].value.stringValue;
      const key = request.headers['api-key'] as string;
      calls.push({ path: request.url ?? '', key, service, spans: scopeSpans[0].spans });
      response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b',
  });
});
beforeEach(() => {
  calls.length = 0;
  answer = 200;
});
afterAll(async () => {
  collector.close();
  collector.closeAllConnections();
  await closeRedis();
  await closeDb();
});

/** Reads the spans that the collector has of one purchase, by name. */
async function spansOf(orderNo: string): Promise<Map<string, OtlpSpan>> {
  await flushSpans();
  const all = calls.flatMap(({ spans }) => spans);
  const ofOrder = (span: OtlpSpan) => span.attributes.some(({ value }) => value.stringValue === orderNo);
  const traceId = all.find(ofOrder)?.traceId;
  return new Map(all.filter((span) => span.traceId === traceId).map((span) => [span.name, span]));
}

/** Enters and buys through the interfaces and lets the relay and the function work. @returns the order's number */
async function buyAndWrite(): Promise<string> {
  const sale = await createSaleFixture({ users: 1 });
  const { saleId, gate } = sale;
  const userId = sale.userIds[0] ?? '';
  const member = { userId, level: 0, createdAt: 0, isVerified: true };
  const entry = await issueEntry(saleId, member as unknown as Parameters<typeof issueEntry>[1]);
  if (entry.status !== 'entered') throw new Error(entry.status);
  expect(verifyEntryToken(entry.entryToken, saleId, Date.now()).status).toBe('valid');
  const reply = await purchase({ saleId, gate, entryToken: entry.entryToken, body: '' });
  expect(reply.status).toBe(202);
  const raw = toEntries(saleId, await stockRedis().xrange(keys.outbox(saleId), '-', '+'));
  await deliverBatch(raw, {
    consumer: 'test',
    log: silentLog,
    signal: new AbortController().signal,
    send: async ({ data }) => void (await createOrders(...unpackOrders(data))),
    bury: async () => {
      throw new Error('nothing is buried here');
    },
  });
  return JSON.parse(reply.body).orderNo as string;
}

describe('traces', () => {
  it('[J2] one purchase is one trace, from its entry to its payment', async () => {
    const orderNo = await buyAndWrite();
    expect(await payFor(orderNo)).toBe('applied');
    const spans = await spansOf(orderNo);
    expect([...spans.keys()].sort()).toEqual(['entry', 'pay', 'purchase', 'relay', 'write order']);
    const root = spans.get('entry');
    expect(root?.parentSpanId).toBeUndefined();
    for (const span of spans.values()) {
      expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
      if (span !== root) expect(span.parentSpanId).toBe(root?.spanId);
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
    }
    expect(new Set([...spans.values()].map(({ spanId }) => spanId)).size).toBe(5);
    expect(calls[0]).toMatchObject({ path: '/v1/traces', key: 'a b', service: 'seckill' });
  });

  it('[J2] two purchases are two traces', async () => {
    const [one, other] = [await buyAndWrite(), await buyAndWrite()];
    const traceOf = async (orderNo: string) => (await spansOf(orderNo)).get('write order')?.traceId;
    expect(await traceOf(one)).toBeDefined();
    expect(await traceOf(other)).not.toBe(await traceOf(one));
  });

  it('[J2] a collector that takes nothing stops no purchase, and gets what comes after', async () => {
    answer = 503;
    await buyAndWrite();
    await flushSpans();
    expect(calls.length).toBeGreaterThan(0);
    answer = 200;
    const orderNo = await buyAndWrite();
    expect((await spansOf(orderNo)).size).toBe(4);
  });
});
