import { once } from 'node:events';
import { constants } from 'node:http2';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ErrorCode } from '@/lib/errors/codes';
import { problemReply } from '@/lib/http/problem';
import { clientAddress } from '@/lib/server/client-address';
import { LIMITS } from '@/lib/server/limits';
import { eventually } from '@/test/support/eventually';
import { type EdgeAnswer, type EdgeClient, openClient } from './testing/open-client';
import { type Echo, type Echoed, startEcho } from './testing/start-echo';
import { type Edge, SHOP, startEdge } from './testing/start-edge';

const nginx = inject('nginx');
let echo: Echo;
let edge: Edge;
const clients: EdgeClient[] = [];

beforeAll(async () => {
  if (!nginx) return;
  echo = await startEcho();
  edge = await startEdge(nginx, [echo.origin]);
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  await edge?.stop();
  await echo?.stop();
});

const PURCHASE = '/api/sales/sale_1/purchase/gate_1';
const SIGN_IN = '/api/auth/callback/credentials';

async function client(seenByProxy?: string): Promise<EdgeClient> {
  const opened = await openClient(edge, { seenByProxy });
  clients.push(opened);
  return opened;
}

/** Sends the same request many times at once. */
async function flood(count: number, ask: (n: number) => Promise<EdgeAnswer>) {
  const from = performance.now();
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
  const refused = answers.filter(({ status }) => status !== 200);
  return { passed: count - refused.length, refused, seconds: (performance.now() - from) / 1000 };
}

const seen = ({ body }: EdgeAnswer) => JSON.parse(body) as Echoed;

/** Expects the refusal the application would give, byte for byte except for the request's id. */
function expectProblem(answer: Pick<EdgeAnswer, 'body' | 'headers' | 'status'>, code: ErrorCode) {
  const own = problemReply(code);
  const { requestId, ...problem } = JSON.parse(answer.body);
  expect({ ...problem, requestId: '' }).toEqual({ ...JSON.parse(own.body), requestId: '' });
  expect(requestId).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.status).toBe(own.status);
  expect(answer.headers).toMatchObject(own.headers);
}

describe.skipIf(!nginx)('limits of the edge', () => {
  it('[G9] a burst of purchases passes, a flood gets 429 in our words, and others are not affected', async () => {
    const [one, other] = [await client('192.0.2.1'), await client('192.0.2.2')];
    const { passed, refused, seconds } = await flood(200, () => one.ask(PURCHASE, { method: 'POST' }));
    expect(passed).toBeGreaterThanOrEqual(101);
    expect(passed).toBeLessThanOrEqual(102 + 10 * seconds);
    for (const answer of refused) expectProblem(answer, 'RATE_LIMITED');
    expect(refused[0]?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"edge-purchases";q=10;w=1',
      ratelimit: '"edge-purchases";r=0;t=1',
    });
    expect((await other.ask(PURCHASE, { method: 'POST' })).status).toBe(200);
    // No refused request reached a web process.
    expect(echo.count(PURCHASE)).toBe(passed + 1);
  });

  it('[G9] attempts to sign in are limited, asking for the session is not', async () => {
    const one = await client('192.0.2.3');
    const signIns = await flood(60, () => one.ask(SIGN_IN, { method: 'POST', body: '{}' }));
    expect(signIns.passed).toBeGreaterThanOrEqual(21);
    expect(signIns.passed).toBeLessThanOrEqual(22 + signIns.seconds);
    expect((await flood(60, () => one.ask('/api/auth/session'))).passed).toBe(60);
  });

  it('[G9] a client that has as many requests open as it may is refused more, until one ends', async () => {
    const narrow = await startEdge(nginx as string, [echo.origin], 3);
    const one = await openClient(narrow, { seenByProxy: '192.0.2.8' });
    try {
      const hanging = [1, 2, 3].map(() => one.open('/hang'));
      await eventually(() => expect(echo.count('/hang')).toBe(3), 20);
      expectProblem(await one.ask('/'), 'RATE_LIMITED');
      hanging[0]?.close(constants.NGHTTP2_CANCEL);
      await eventually(async () => expect((await one.ask('/')).status).toBe(200), 20);
    } finally {
      one.close();
      await narrow.stop();
    }
  });

  it('[G9] scripts and pictures do not use up what a client may ask for', async () => {
    const one = await client('192.0.2.4');
    expect((await flood(400, () => one.ask('/_next/static/chunks/app.js'))).passed).toBe(400);
    const from = performance.now();
    expect((await flood(150, () => one.ask('/'))).passed).toBe(150);
    const { passed } = await flood(400, () => one.ask('/'));
    expect(150 + passed).toBeLessThanOrEqual(202 + 50 * ((performance.now() - from) / 1000));
  });

  it('[G9] neighbours in an IPv6 network count as one client, networks as many', async () => {
    const post = async (address: string) => {
      const one = await client(address);
      return flood(5, () => one.ask(SIGN_IN, { method: 'POST' }));
    };
    let passed = 0;
    const from = performance.now();
    for (let n = 0; n < 8; n += 1) passed += (await post(`2001:db8:0:1::${n}`)).passed;
    expect(passed).toBeLessThanOrEqual(22 + (performance.now() - from) / 1000);
    for (let n = 0; n < 8; n += 1) expect((await post(`2001:db8:1:${n}::1`)).passed).toBe(5);
  });

  it('[G9] a made-up X-Forwarded-For convinces neither the limits nor the application', async () => {
    const one = await client();
    const headers = { 'x-forwarded-for': '198.51.100.7, 198.51.100.8', 'x-real-ip': '198.51.100.9' };
    const reached = seen(await one.ask('/api/points', { headers }));
    expect(reached.headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(reached.headers['x-real-ip']).toBeUndefined();
    const forged = await flood(60, (n) =>
      one.ask(SIGN_IN, { method: 'POST', headers: { 'x-forwarded-for': `198.51.100.${n}` } }),
    );
    expect(forged.passed).toBeLessThanOrEqual(22 + forged.seconds);
  });

  it('[G9] behind a trusted proxy the client is whom that saw, which TRUST_PROXY=1 believes', async () => {
    const one = await client('198.51.100.7, 203.0.113.9');
    const { headers, peer } = seen(await one.ask('/api/points'));
    expect(clientAddress(peer, headers['x-forwarded-for'], 1)).toBe('203.0.113.9');
  });

  it('[G9] bodies and headers that the application would refuse do not reach it', async () => {
    const one = await client('192.0.2.5');
    const post = (path: string, bytes: number) => one.ask(path, { method: 'POST', body: 'x'.repeat(bytes) });
    const big = '/api/sales/sale_2/purchase/gate_2';
    expect((await post(big, LIMITS.maxPurchaseBodyBytes)).status).toBe(200);
    expectProblem(await post(big, LIMITS.maxPurchaseBodyBytes + 1), 'TOO_LARGE');
    expectProblem(await post('/api/sales/sale_2/entry', 17 * 1024), 'TOO_LARGE');
    expect((await post('/api/payments/webhooks/sandbox', 64 * 1024)).status).toBe(200);
    expectProblem(await post('/api/payments/webhooks/sandbox', 64 * 1024 + 1), 'TOO_LARGE');
    expect(echo.count(big)).toBe(1);

    const filled = (count: number, bytes: number) =>
      Array.from({ length: count }, (_, n) => `x-${n}: ${'x'.repeat(bytes)}\r\n`).join('');
    for (const headers of [filled(1, 9_000), filled(20, 1_000)]) {
      expectProblem(
        await exchange(`GET /api/points HTTP/1.1\r\nHost: ${SHOP}\r\n${headers}\r\n`),
        'TOO_LARGE',
      );
    }
    const long = await exchange(`GET /${'x'.repeat(9_000)} HTTP/1.1\r\nHost: ${SHOP}\r\n\r\n`);
    expectProblem(long, 'TOO_LARGE');
  });

  it('[G9] what is no HTTP is refused in our words too', async () => {
    expectProblem(await exchange(`GET / HTTP/1.1\r\nHost: ${SHOP}\r\nHost: b\r\n\r\n`), 'MALFORMED');
    expectProblem(
      await exchange(`TRACE / HTTP/1.1\r\nHost: ${SHOP}\r\nConnection: close\r\n\r\n`),
      'METHOD_NOT_ALLOWED',
    );
  });

  it('[G9] of a crowd that asks for a state one request reaches the application, and all for the clock', async () => {
    const one = await client('192.0.2.6');
    let [path, seconds] = ['', Number.POSITIVE_INFINITY];
    // The cache keeps an answer for at least a second: a crowd that took longer proves nothing.
    for (let n = 0; n < 5 && seconds > 0.9; n += 1) {
      path = `/api/sales/sale_${n}/state`;
      const asked = await flood(60, (each) => one.ask(`${path}?around=${each}`));
      expect(asked.passed).toBe(60);
      seconds = asked.seconds;
    }
    expect(echo.count(path)).toBeLessThanOrEqual(seconds > 0.9 ? 59 : 1);
    const clocks = await Promise.all(['a1', 'b2'].map((word) => one.ask(`${path}?clock=${word}`)));
    expect(clocks.map((answer) => seen(answer).target)).toEqual([`${path}?clock=a1`, `${path}?clock=b2`]);
  });

  it('[K3] scripts come from the edge, also while the application is away; pages then say so', async () => {
    const one = await client('192.0.2.7');
    const script = '/_next/static/chunks/page.js';
    expect((await one.ask(script)).headers['x-cache-status']).toBe('MISS');
    expect((await one.ask(`${script}?v=2`)).headers['x-cache-status']).toBe('HIT');
    expect(echo.count(script)).toBe(1);
    await echo.stop();
    expect((await one.ask(script)).status).toBe(200);
    const page = await one.ask('/sales/lamp');
    expect(page.status).toBe(503);
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'retry-after': '5' });
    expect(page.body).toContain('<meta http-equiv="refresh" content="5">');
    expectProblem(await one.ask('/api/sales'), 'UNAVAILABLE');
    expectProblem(await one.ask(PURCHASE, { method: 'POST' }), 'UNAVAILABLE');
  });
});

/** Sends bytes over HTTP/1.1 and returns what comes back until nginx closes the connection. */
async function exchange(bytes: string): Promise<EdgeAnswer> {
  const { port, certificate: ca } = edge;
  const socket = connect({ port, host: '127.0.0.1', servername: SHOP, ca });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const fields = head.split('\r\n').slice(1);
  const pairs = fields
    .map((line) => line.split(': '))
    .map(([name = '', value]) => [name.toLowerCase(), value]);
  return { status: Number(head.slice(9, 12)), headers: Object.fromEntries(pairs), body };
}
