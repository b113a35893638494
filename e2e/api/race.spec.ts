// Also: on-a-cluster
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import pLimit from 'p-limit';
import { baseUrl } from '../support/base-url';
import { npmRunAgain } from '../support/commands';
import { gateOf, newSale } from '../support/sales';

const USERS = 2000;
const UNITS = 100;
const AT_ONCE = 200;

type Row = { userId: string; entryToken: string };
type Reply = { status: number; body: Record<string, unknown> };

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** Sends, and comes again with the same token while the shop is busy, as its pages do. */
async function send(method: string, path: string, entryToken: string): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await sendOnce(method, path, entryToken);
    if (reply.status !== 503 || tries === 20) return reply;
    await delay(1_000);
  }
}

/** Uses plain sockets that stay open, so that the test measures the product and not itself. */
function sendOnce(method: string, path: string, entryToken: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-entry-token': entryToken, 'content-length': 0 };
    const sent = request(new URL(path, baseUrl), { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Reply['body'] }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('[C1 C6 E1 E2 F1 F2] 2,000 users race for 100 units: 100 orders, the rest are told sold out', async () => {
  const { saleId } = await newSale({ totalStock: UNITS });
  const out = test.info().outputPath('tokens.jsonl');
  const made = await npmRunAgain('loadtest:tokens', [
    '--sale',
    saleId,
    '--users',
    String(USERS),
    '--out',
    out,
  ]);
  expect(made.code, made.stderr).toBe(0);
  const rows = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  expect(rows).toHaveLength(USERS);

  const limit = pLimit(AT_ONCE);
  const path = `/api/sales/${saleId}/purchase/${await gateOf(saleId)}`;
  const startedAt = performance.now();
  const replies = await Promise.all(
    rows.map(({ entryToken }) => limit(() => send('POST', path, entryToken))),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`      ${USERS} purchases in ${seconds.toFixed(1)} s`);

  const accepted = rows.flatMap((row, i) =>
    replies[i]?.status === 202 ? [{ ...row, orderNo: replies[i].body.orderNo }] : [],
  );
  expect(accepted).toHaveLength(UNITS);
  expect(new Set(accepted.map(({ orderNo }) => orderNo)).size).toBe(UNITS);
  const refusals = replies
    .filter(({ status }) => status !== 202)
    .map(({ status, body }) => `${status} ${body.code}`);
  expect(new Set(refusals)).toEqual(new Set(['409 SOLD_OUT']));

  await Promise.all(
    accepted.map(({ entryToken, orderNo }) =>
      limit(async () => {
        const again = await send('POST', path, entryToken);
        expect(again).toEqual({ status: 202, body: { orderNo, status: 'queued', replay: true } });
        const order = () => send('GET', `/api/orders/${orderNo}`, entryToken);
        await expect.poll(async () => (await order()).body.status).toBe('pending_payment');
        expect((await order()).body).toMatchObject({ saleId, quantity: 1 });
      }),
    ),
  );
  const late = await send('POST', path, rows.find((_, i) => replies[i]?.status === 409)?.entryToken ?? '');
  expect(late).toMatchObject({ status: 409, body: { code: 'SOLD_OUT', available: 0 } });

  // A busy machine may have something under way for long.
  await expect(async () => {
    const verified = await npmRunAgain('verify', ['--sale', saleId, '--json']);
    const { ok, invariants } = JSON.parse(verified.stdout) as {
      ok: boolean;
      invariants: { id: number; detail: string }[];
    };
    expect({ ok, code: verified.code }, verified.stdout).toEqual({ ok: true, code: 0 });
    expect(invariants.find(({ id }) => id === 5)?.detail).toBe(
      `${UNITS} orders, ${UNITS} accepted purchases, 0 units in flight`,
    );
  }).toPass({ timeout: 240_000, intervals: [1_000] });
});
