import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { eventually } from '@/test/support/eventually';
import { createWebServer } from './create-server';
import { createSiteMap } from './site-map';
import { startNext } from './start-next';
import { rawGet } from './testing/raw-get';
import { sendPurchase, tokenFor } from './testing/send-purchase';

const INTERFACES = ['/api/[name]', '/api/x/events', '/change', '/crash', '/grow'];
const next = await startNext(join(import.meta.dirname, 'testing/next-process.mjs'), {
  maxMemoryBytes: 1024 ** 3,
  replaceEveryMs: 0,
});
const web = createWebServer({
  next: next.upstream.forward,
  ask: (path) => next.upstream.call('GET', path, {}),
  site: createSiteMap({ pages: ['/page', '/missing'], interfaces: INTERFACES, redirects: [], files: [] }),
  hasFastPath: true,
  commonHeaders: [],
});
next.onPagesChanged(web.forgetPages);
next.onReplaced(web.endStreamsOfNext);
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => web.server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  web.closeAll();
  await new Promise((resolve) => web.server.close(resolve));
  await next.stop();
  await Promise.all([closeRedis(), closeDb()]);
});

function isAlive(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

const pageOf = async () => (await rawGet(`${origin}/page`)).body.toString();

describe('Next in a process of its own', () => {
  it('[L3] gets requests as they came and answers as it would itself', async () => {
    const body = 'é'.repeat(30_000);
    const {
      status,
      headers,
      body: echo,
    } = await rawGet(`${origin}/api/odd?a=%20b`, {}, { method: 'PUT', body });
    expect([status, echo.toString()]).toEqual([200, body]);
    expect(headers).toMatchObject({ 'x-method': 'PUT', 'x-forwarded': '127.0.0.1' });
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    const chunked = await fetch(`${origin}/api/odd`, {
      method: 'POST',
      body: new ReadableStream({
        start(controller) {
          for (const part of ['one ', 'two']) controller.enqueue(new TextEncoder().encode(part));
          controller.close();
        },
      }),
      headers: { 'x-forwarded-for': '10.1.2.3' },
      duplex: 'half',
    } as RequestInit);
    expect([chunked.status, await chunked.text()]).toEqual([418, 'one two']);
    // Our server has read the whole body.
    expect(chunked.headers.get('x-te')).toBe('');
    // A proxy before us wrote it; the application decides how far to trust it.
    expect(chunked.headers.get('x-forwarded')).toBe('10.1.2.3');
    const head = await rawGet(`${origin}/api/odd`, {}, { method: 'HEAD' });
    expect([head.status, head.body.length]).toEqual([418, 0]);
  });

  it('[L3] is let go of by a client that hangs up', async () => {
    const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' });
    socket.write('POST /api/slow HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await rawGet(`${origin}/api/odd`)).status).toBe(418);
  });

  it('[L3] does not want all of a body: the client is told, and its next request on the connection is answered', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (body: Buffer) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(`${origin}/api/picky`, { method: 'POST', agent }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode));
        });
        sent.once('error', reject).end(body);
      });
    // Some are larger than our server accepts, others larger than the route reads.
    for (const size of [2_000_000, 60_000, 2_000_000, 60_000, 2_000_000]) {
      expect(await post(Buffer.alloc(size)), `${size} bytes`).toBe(413);
    }
    agent.destroy();
  });

  it('[A1] says which pages have changed', async () => {
    const cacheState = async () => (await rawGet(`${origin}/page`)).headers['x-nextjs-cache'];
    await pageOf();
    expect(await cacheState()).toBe('HIT');
    await rawGet(`${origin}/change`);
    await eventually(async () => expect(await cacheState()).toBe('MISS'));
  });

  it('[N11] is replaced when it has grown too large: no request is refused, and what it was asked it still answers', async () => {
    const ask = async (path: string) => (await rawGet(`${origin}${path}`)).body.toString();
    const old = await ask('/api/pid');
    const page = await pageOf();
    const late = ask('/api/late');
    const stream = await fetch(`${origin}/api/x/events`);
    const streamed = stream.text();
    const answers: { status: number; pid: string }[] = [];
    let isOver = false;
    const crowd = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const { status, body } = await rawGet(`${origin}/api/pid`);
        answers.push({ status, pid: body.toString() });
      }
    });
    await rawGet(`${origin}/grow`);
    await eventually(async () => expect(await ask('/api/pid')).not.toBe(old));
    // The process stays: one that has just taken over is not replaced for earlier growth.
    const own = await ask('/api/pid');
    expect(await late).toBe(old);
    expect(await streamed).toBe(`data: ${old}\n\n`);
    await eventually(() => expect(isAlive(old)).toBe(false));
    isOver = true;
    await Promise.all(crowd);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ pid }) => pid))).toEqual(new Set([old, own]));
    expect(await pageOf()).toBe(page);
  });

  it('[L3 J4] when it crashes sales go on, pages come from memory, the rest is told to wait, and it comes back', async () => {
    const sale = await createSaleFixture({ total: 10 });
    const before = await pageOf();
    await rawGet(`${origin}/crash`).catch(() => undefined);
    const refused = await rawGet(`${origin}/api/sales`);
    expect(refused.status).toBe(503);
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'content-type': 'application/problem+json',
    });
    expect(await pageOf()).toBe(before);
    const token = tokenFor(sale.saleId, sale.userIds[0] ?? '');
    expect((await sendPurchase(origin, sale, token)).status).toBe(202);
    await eventually(async () => expect((await rawGet(`${origin}/api/odd`)).status).toBe(418));
    // No message told of changes while Next was away, so it makes the pages again.
    await eventually(async () => expect(await pageOf()).not.toBe(before));
  });
});

describe('starting Next', () => {
  it('[L3] fails when it ends before it is ready', async () => {
    const broken = join(import.meta.dirname, 'testing/nowhere.mjs');
    expect(existsSync(broken)).toBe(false);
    await expect(startNext(broken, { maxMemoryBytes: 1024 ** 3 })).rejects.toThrow('Next ended with 1');
  });

  it('[L3 J4] fails when it hangs before it is ready, and leaves no process behind', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'seckill-hang-'));
    const file = join(dir, 'hangs.mjs');
    writeFileSync(
      file,
      `import { writeFileSync } from 'node:fs';
       writeFileSync('${dir}/pid', String(process.pid));
       process.on('SIGTERM', () => {});
       setInterval(() => {}, 1_000);`,
    );
    const started = startNext(file, { maxMemoryBytes: 1024 ** 3, readyWithinMs: 5_000 });
    await expect(started).rejects.toThrow('Next ended with SIGKILL');
    expect(isAlive(readFileSync(join(dir, 'pid'), 'utf8'))).toBe(false);
    rmSync(dir, { recursive: true });
  });

  it('[J4] tries again when one that is to take a crashed one’s place does not come up either', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'seckill-next-'));
    const file = join(dir, 'second-fails.mjs');
    const own = JSON.stringify(join(import.meta.dirname, 'testing/next-process.mjs'));
    writeFileSync(
      file,
      `import { appendFileSync, readFileSync } from 'node:fs';
       appendFileSync('${dir}/starts', 'x');
       if (readFileSync('${dir}/starts').length === 2) process.exit(3);
       await import(${own});`,
    );
    const failing = await startNext(file, { maxMemoryBytes: 1024 ** 3 });
    const pid = async () => (await buffer(await failing.upstream.call('GET', '/api/pid', {}))).toString();
    const first = await pid();
    process.kill(Number(first), 'SIGKILL');
    await eventually(async () => expect(await pid()).not.toBe(first));
    expect(readFileSync(join(dir, 'starts'), 'utf8')).toBe('xxx');
    await failing.stop();
    rmSync(dir, { recursive: true });
  });

  it('[J4] ends with whoever started it, also with one that was killed before it was up', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'seckill-orphan-'));
    const child = fork(join(import.meta.dirname, 'testing/run-next-process.ts'), [join(dir, 'next.sock')], {
      execArgv: ['--import', 'tsx', '--conditions=react-server'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
    // The process removes the socket's folder itself: no other would.
    expect(existsSync(dir)).toBe(false);
  });
});
