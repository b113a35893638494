import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { AREAS } from '@/lib/contract/areas';
import { limitMs } from '@/lib/time-limits';
import { eventually } from '@/test/support/eventually';
import { createWebServer, type WebServer } from './create-server';
import { LIMITS, type Limits } from './limits';
import { rawGet } from './testing/raw-get';
import { standInForNext } from './testing/stand-in-next';

// Lets each test name the client's address.
Object.assign(process.env, { TRUST_PROXY: '1', SECKILL_DEMO: '0' });

/** The requests with Next at this moment, in the order they came. */
let atNext: { url: string; from: string; finish: () => void }[] = [];
/** All requests that ever reached Next, and the most at once. */
let seen: string[] = [];
let most = 0;
let received: number[] = [];
let web: WebServer;
let port = 0;
let stop = async () => {};
afterEach(() => stop());

async function start(limits: Partial<Limits> = {}) {
  [atNext, seen, most, received] = [[], [], 0, []];
  const next = await standInForNext(answer);
  web = createWebServer({ next: next.forward, hasFastPath: true, commonHeaders: [], limits });
  await new Promise<void>((resolve) => web.server.listen(0, '127.0.0.1', resolve));
  port = (web.server.address() as AddressInfo).port;
  stop = async () => {
    for (const { finish } of atNext) finish();
    web.closeAll();
    next.close();
    await new Promise((resolve) => web.server.close(resolve));
  };
}

async function answer(question: IncomingMessage, response: ServerResponse) {
  const { url = '', headers } = question;
  received.push((await buffer(question)).length);
  seen.push(`${headers['x-forwarded-for']} ${url}`);
  if (url.startsWith('/api/at-once')) return response.end('done');
  if (url.startsWith('/api/large')) return response.end(Buffer.alloc(32 * 1024 * 1024, 'x'));
  if (url.endsWith('/events')) {
    response.setHeader('content-type', 'text/event-stream');
    response.write('data: 1\n\n');
    return;
  }
  const one = { url, from: String(headers['x-forwarded-for']), finish: () => {} };
  one.finish = () => {
    atNext = atNext.filter((other) => other !== one);
    response.end('done');
  };
  atNext.push(one);
  most = Math.max(most, atNext.length);
}

const ask = (from: string, path: string) =>
  rawGet(`http://127.0.0.1:${port}${path}`, { 'x-forwarded-for': from });
const untilAtNext = (count: number) =>
  eventually(() => expect(atNext.length).toBeGreaterThanOrEqual(count), 5);
/** Lets Next answer requests, one after the other, until this many have come. */
async function work(until: number) {
  while (seen.length < until || atNext.length > 0) {
    atNext[0]?.finish();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
const queue = (more: Partial<Limits['next']>) => ({ next: { ...LIMITS.next, ...more } });

describe('the door before Next', () => {
  it('[E3] keeps the connection of a function for longer than the executor waits for it, and no other', async () => {
    await start();
    const sockets = new Map<string, Socket>();
    web.server.on('request', ({ url = '', socket }) => sockets.set(url, socket));
    const [call, other] = ['/api/inngest?fnId=x', '/api/other'];
    const answers = [call, other].map((path) => ask('192.0.2.1', path));
    await untilAtNext(2);
    expect(sockets.get(call)?.timeout).toBeGreaterThan(limitMs('functionCall'));
    expect(sockets.get(other)?.timeout).toBe(LIMITS.silenceTimeoutMs);
    for (const { finish } of atNext) finish();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('[N11] lets so many in at once, and clients in turns', async () => {
    await start(queue({ atOnce: 4, atOnceOfClient: 2 }));
    const flood = Array.from({ length: 60 }, (_, n) => ask('192.0.2.1', `/api/flood/${n}`));
    await untilAtNext(2);
    const others = [2, 3, 4].map((n) => ask(`192.0.2.${n}`, '/api/other'));
    await untilAtNext(4);
    await work(63);
    for (const { status } of await Promise.all([...flood, ...others])) expect(status).toBe(200);
    expect(most).toBe(4);
    // The other client had to wait, for at most one request of the flood.
    const places = seen.flatMap((what, at) => (what.endsWith('/other') ? [at] : []));
    expect(Math.max(...places)).toBeLessThanOrEqual(6);
  });

  it('[N11] counts an IPv6 network as one client', async () => {
    await start(queue({ atOnce: 8, atOnceOfClient: 2 }));
    const network = Array.from({ length: 6 }, (_, n) => ask(`2001:db8:1:2::${n}`, '/api/x'));
    const other = ask('2001:db8:1:3::1', '/api/other');
    await untilAtNext(3);
    expect(atNext.map(({ url }) => url).sort()).toEqual(['/api/other', '/api/x', '/api/x']);
    await work(7);
    await Promise.all([...network, other]);
  });

  it('[N11] refuses what is too much of one client with 429, and what is too much of all with 503', async () => {
    await start(queue({ atOnce: 2, waiting: 6, waitingOfClient: 4 }));
    const first = Array.from({ length: 6 }, (_, n) => ask('192.0.2.1', `/api/${n}`));
    await untilAtNext(2);
    const refused = await ask('192.0.2.1', '/api/more');
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"address";q=4;w=10',
      ratelimit: '"address";r=0;t=1',
    });
    expect(JSON.parse(refused.body.toString())).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 1_000 });
    const others = [2, 3, 4, 5, 6].map((n) => ask(`192.0.2.${n}`, '/api/x'));
    // The queue was full with the second of them: each later one takes a place of the crowd's.
    const full: string[] = [];
    for (const one of first)
      void one.then(({ status, headers }) => status === 503 && full.push(String(headers['retry-after'])));
    await eventually(() => expect(full).toEqual(['1', '1', '1']), 5);
    await work(8);
    const statuses = async (all: typeof first) => (await Promise.all(all)).map(({ status }) => status);
    expect(await statuses(others)).toEqual([200, 200, 200, 200, 200]);
    expect((await statuses(first)).sort()).toEqual([200, 200, 200, 503, 503, 503]);
  });

  it('[N11] an office of 500 behind one address gets through', async () => {
    await start();
    const office = Array.from({ length: 500 }, (_, n) => ask('192.0.2.1', `/api/at-once/${n}`));
    const statuses = (await Promise.all(office)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('[N11] who hangs up while Next is at work frees no place before Next is done, and leaves none behind', async () => {
    await start(queue({ atOnce: 2 }));
    for (let n = 0; n < 20; n += 1) {
      const hasty = request(`http://127.0.0.1:${port}/api/hasty`, { agent: false }).on('error', () => {});
      hasty.end();
      if (n < 2) await untilAtNext(n + 1);
      hasty.destroy();
    }
    expect(atNext).toHaveLength(2);
    const patient = ask('192.0.2.1', '/api/patient');
    await work(3);
    expect((await patient).status).toBe(200);
    expect(most).toBe(2);
    // Requests that waited and hung up never got to Next.
    expect(seen.filter((what) => what.includes('patient'))).toHaveLength(1);
    expect(seen.length).toBeLessThan(10);
  });

  it('[N11] neither streams nor slow readers hold places', async () => {
    await start(queue({ atOnce: 2, atOnceOfClient: 2 }));
    const agent = new Agent();
    const open = Array.from({ length: 6 }, (_, n) => {
      const path = n % 2 === 0 ? '/api/sales/x/events' : '/api/large';
      return request({ port, host: '127.0.0.1', path, agent })
        .on('error', () => {})
        .end();
    });
    await Promise.all(open.map((one) => once(one, 'response')));
    expect((await ask('192.0.2.1', '/api/at-once')).status).toBe(200);
    for (const one of open) one.destroy();
  });

  it('[N11] has a limit for answers under way, which ends with them', async () => {
    await start({ exchanges: { all: 6, ofClient: 3 } });
    const waiting = Array.from({ length: 3 }, () => ask('192.0.2.1', '/api/x'));
    await untilAtNext(3);
    expect((await ask('192.0.2.1', '/api/x')).status).toBe(429);
    const more = Array.from({ length: 3 }, () => ask('192.0.2.2', '/api/x'));
    await untilAtNext(6);
    expect((await ask('192.0.2.3', '/api/x')).status).toBe(503);
    await work(6);
    await Promise.all([...waiting, ...more]);
    expect((await ask('192.0.2.1', '/api/at-once')).status).toBe(200);
  });

  it('[N11] counts an answer from its turn on: a crowd in the queue takes none of what others may have', async () => {
    await start({
      ...queue({ atOnce: 4, atOnceOfClient: 2 }),
      exchanges: { all: 30, ofClient: 20 },
    });
    const crowd = Array.from({ length: 60 }, () => ask('192.0.2.1', '/api/x'));
    await untilAtNext(2);
    expect((await ask('192.0.2.2', '/api/at-once')).status).toBe(200);
    await work(61);
    for (const { status } of await Promise.all(crowd)) expect(status).toBe(200);
  });

  it('[N11] what waits on a connection behind another answer counts no longer when the connection breaks', async () => {
    await start({ exchanges: { all: 6, ofClient: 2 } });
    const from = 'host: x\r\nx-forwarded-for: 192.0.2.1\r\n';
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    for (const path of ['/api/slow', '/api/behind']) socket.write(`GET ${path} HTTP/1.1\r\n${from}\r\n`);
    const status = async () => (await ask('192.0.2.1', '/api/at-once')).status;
    await eventually(async () => expect(await status()).toBe(429), 5);
    socket.resetAndDestroy();
    await eventually(async () => expect(await status()).toBe(200), 5);
    const two = [1, 2].map(() => ask('192.0.2.1', '/api/x'));
    await untilAtNext(4);
    await work(4);
    for (const answered of await Promise.all(two)) expect(answered.status).toBe(200);
  });

  it('[N11] machines have a queue of their own: a crowd does not keep orders from being written', async () => {
    await start(queue({ atOnce: 2, waiting: 2 }));
    const crowd = Array.from({ length: 4 }, () => ask('192.0.2.1', '/api/x'));
    await untilAtNext(2);
    for (const path of ['/api/inngest?fnId=x', '/api/payments/webhooks/sandbox']) {
      const asked = ask('192.0.2.1', path);
      await eventually(() => expect(atNext.map(({ url }) => url)).toContain(path), 5);
      atNext.find(({ url }) => url === path)?.finish();
      expect((await asked).status).toBe(200);
    }
    await work(6);
    await Promise.all(crowd);
  });
});

describe('bodies on their way to Next', () => {
  const post = (path: string, bytes: number) =>
    rawGet(
      `http://127.0.0.1:${port}${path}`,
      { 'x-forwarded-for': '192.0.2.1' },
      { method: 'POST', body: 'x'.repeat(bytes) },
    );

  it('[N11] are refused when they are larger than any route wants, and Next hears nothing of them', async () => {
    await start();
    for (const [path, limit] of [
      ['/api/at-once', 64 * 1024],
      ['/api/auth/callback/credentials', 16 * 1024],
      ['/api/register', 16 * 1024],
      ['/api/payments/webhooks/sandbox', 64 * 1024],
      ['/api/%61dmin/blocks/import', 64 * 1024],
    ] as const) {
      const { status, body } = await post(path, limit + 1);
      expect([status, JSON.parse(body.toString()).code], path).toEqual([413, 'TOO_LARGE']);
    }
    expect(received).toEqual([]);
    expect((await post('/api/at-once', 64 * 1024)).status).toBe(200);
    expect(received).toEqual([64 * 1024]);
  });

  it('[L3] may be as large as the contract says of their operation, and no larger', async () => {
    await start();
    const large = AREAS.flatMap(({ operations }) => operations).flatMap(({ path, maxBytes }) =>
      maxBytes === undefined ? [] : [{ path: path.replace(/\{\w+\}/g, 'some_id'), maxBytes }],
    );
    expect(large.map(({ path }) => path)).toContain('/api/email/returned');
    for (const { path, maxBytes } of large) {
      const answered = post(path, maxBytes);
      await eventually(() => expect(atNext).toHaveLength(1));
      atNext[0]?.finish();
      expect((await answered).status, path).toBe(200);
      expect((await post(path, maxBytes + 1)).status, path).toBe(413);
    }
    expect(received).toEqual(large.map(({ maxBytes }) => maxBytes));
  });

  it('[N11] without a length are counted as they come', async () => {
    await start();
    const sent = request({
      port,
      host: '127.0.0.1',
      path: '/api/at-once',
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked' },
    }).on('error', () => {});
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    for (let n = 0; n < 100; n += 1) sent.write('x'.repeat(1024));
    const [{ statusCode }] = await answered;
    expect([statusCode, received]).toEqual([413, []]);
    sent.destroy();
  });

  it('[N11] that are dribbled count apart: their sender is refused more of them, and what has no body goes on', async () => {
    await start({
      arrivals: { all: 3, ofClient: 2 },
      exchanges: { all: 2, ofClient: 1 },
      requestTimeoutMs: 60_000,
    });
    const dribble = async (from: string) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      const head = `POST /api/at-once HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\ncontent-length: 9`;
      await new Promise((sent) => socket.write(`${head}\r\n\r\n12345678`, sent));
      // Once this one has its answer, the server has taken or refused all earlier ones.
      expect((await ask('192.0.2.9', '/api/at-once')).status).toBe(200);
      return { socket, status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0) };
    };
    const held = [await dribble('192.0.2.1'), await dribble('192.0.2.1')];
    const more = await dribble('192.0.2.1');
    await eventually(() => expect(more.status()).toBe(429), 5);
    held.push(await dribble('192.0.2.2'));
    const last = await dribble('192.0.2.3');
    await eventually(() => expect(last.status()).toBe(503), 5);
    expect((await ask('192.0.2.1', '/api/at-once')).status).toBe(200);
    // A request that arrives complete and one whose sender hangs up both give their place back.
    held[0]?.socket.write('9');
    await eventually(() => expect(held[0]?.status()).toBe(200), 5);
    for (const { socket } of held) socket.destroy();
    await eventually(async () => {
      const again = await dribble('192.0.2.1');
      again.socket.write('9');
      await eventually(() => expect(again.status()).toBeGreaterThan(0));
      expect(again.status()).toBe(200);
      again.socket.destroy();
    }, 5);
    for (const { socket } of [more, last]) socket.destroy();
  });

  it('[N11] that are dribbled hold no place, and all together only so much memory', async () => {
    await start({
      ...queue({ atOnce: 1 }),
      uploadBytes: { all: 3_100, ofClient: 2_000 },
      requestTimeoutMs: 60_000,
    });
    const upload = async (from: string) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      const head = `POST /api/at-once HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\ncontent-length: 1501`;
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      await new Promise((sent) => socket.write(`${head}\r\n\r\n${'x'.repeat(1_500)}`, sent));
      // Once this one has its answer, the server has read all earlier ones.
      await ask('192.0.2.9', '/api/at-once');
      return { socket, status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0) };
    };
    const first = await upload('192.0.2.1');
    const second = await upload('192.0.2.1');
    await eventually(() => expect(second.status()).toBe(429), 5);
    const other = await upload('192.0.2.2');
    const third = await upload('192.0.2.3');
    await eventually(() => expect(third.status()).toBe(503), 5);
    expect((await ask('192.0.2.4', '/api/at-once')).status).toBe(200);
    for (const { socket } of [first, other]) socket.write('x');
    await eventually(() => expect([first.status(), other.status()]).toEqual([200, 200]), 5);
    // The server has given back what the first upload took.
    const again = await upload('192.0.2.1');
    again.socket.write('x');
    await eventually(() => expect(again.status()).toBe(200), 5);
    for (const { socket } of [first, other, again]) socket.destroy();
  });
});
