import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventRefused } from '@/lib/outbox/event-refused';
import { packOrders } from '@/lib/outbox/order-batch';
import { sendEvent } from './send-event';

const received: (number | undefined)[] = [];

/** Stands in for the executor. Answers with the status that the event's sale is named after. */
const endpoint = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const [event] = JSON.parse(Buffer.concat(chunks).toString()) as {
    ts: number;
    data: { batches: { saleId: string }[] };
  }[];
  received.push(event?.ts);
  const status = Number(event?.data.batches[0]?.saleId.split('_')[1]);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(status === 200 ? { ids: ['1'], status } : { ids: [], status, error: 'no' }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  process.env.INNGEST_BASE_URL = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
});
afterAll(() => {
  endpoint.close();
  endpoint.closeAllConnections();
});

const order = { orderNo: '1024', userId: 'u', quantity: 1, jti: 'j', epoch: 1, acceptedAt: 1 };
const send = (status: number) =>
  sendEvent({
    id: `e${status}`,
    name: 'orders/accepted',
    data: packOrders([{ saleId: `sale_${status}`, orders: [order] }]),
    ts: 1_795_278_624_102,
  });

describe('sendEvent', () => {
  it('[E3] resolves once the executor has taken the event', async () => {
    await expect(send(200)).resolves.toBeUndefined();
  });

  it('[E3] says when it happened, not what this machine takes the time for', async () => {
    received.length = 0;
    await send(200);
    expect(received).toEqual([1_795_278_624_102]);
  });

  // The SDK repeats every failed request four times before it reports the failure. Run together, the cases take no
  // longer than one.
  it.concurrent.each([400, 413])('[E5] %i blames the event: refused for good', async (status) => {
    await expect(send(status)).rejects.toThrow(EventRefused);
  });

  it.concurrent.each([
    401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 412, 422, 425, 429, 431, 451, 500, 503,
  ])('[E3 P1] %i does not: try again', async (status) => {
    const failure = await send(status).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(EventRefused);
  });
});
