import { createServer, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { isOutage } from '@/lib/errors/is-outage';
import { eventually } from '@/test/support/eventually';
import { blockingRedis, cacheRedis, closeRedis, stockRedis } from './client';

const realUrl = process.env.REDIS_URL ?? '';

/** The connections of a process started with another Redis: modules and connections are loaded anew. */
async function clientFor(redisUrl: string): Promise<typeof import('./client')> {
  await closeRedis();
  vi.stubEnv('REDIS_URL', redisUrl);
  vi.resetModules();
  return import('./client');
}

/** A Redis that can be reached and never says a word. */
async function silentServer(): Promise<{ url: string; server: Server; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `redis://127.0.0.1:${address.port}/0`, server, sockets };
}

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeRedis();
});
afterAll(closeRedis);

describe('stockRedis', () => {
  it('is one connection per process, and the cache shares it when both are one server', () => {
    expect(stockRedis()).toBe(stockRedis());
    expect(cacheRedis()).toBe(stockRedis());
  });

  it('survives the modules being loaded again', async () => {
    const before = stockRedis();
    vi.resetModules();
    const again = await import('./client');
    expect(again.stockRedis()).toBe(before);
  });

  it('fails while Redis is down, again and again, with an error that says so', async () => {
    const { server, url } = await silentServer();
    await new Promise((resolve) => server.close(resolve));
    const client = await clientFor(url);
    for (let i = 0; i < 5; i += 1) {
      const error = await client
        .stockRedis()
        .get('key')
        .catch((reason: unknown) => reason);
      expect(isOutage(error)).toBe(true);
    }
    await client.closeRedis();
  });

  it('gives up a command after two seconds, and a connection after half a second', async () => {
    vi.stubEnv('SECKILL_PATIENCE', '1');
    const client = await clientFor(realUrl);
    const { connectTimeout, commandTimeout, maxRetriesPerRequest } = (client.stockRedis() as Redis).options;
    expect({ connectTimeout, commandTimeout, maxRetriesPerRequest }).toEqual({
      connectTimeout: 500,
      commandTimeout: 2_000,
      maxRetriesPerRequest: 1,
    });
    await client.closeRedis();
  });

  it('fails by itself while Redis is reachable but silent', async () => {
    const { server, url, sockets } = await silentServer();
    const client = await clientFor(url);
    const error = await client
      .stockRedis()
      .get('key')
      .catch((reason: unknown) => reason);
    expect(isOutage(error)).toBe(true);
    // By its own limit: the connection is there.
    expect(sockets.size).toBeGreaterThan(0);
    await client.closeRedis();
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('goes on after the server cut the connection', async () => {
    const redis = stockRedis();
    const id = await redis.client('ID');
    const other = new Redis(realUrl);
    await other.client('KILL', 'ID', id);
    await other.quit();
    expect(await redis.set('after', 'cut')).toBe('OK');
    expect(await redis.client('ID')).not.toBe(id);
  });
});

describe('blockingRedis', () => {
  it('does not hold up the shared connection', async () => {
    const blocking = blockingRedis();
    const waiting = blocking.xread('BLOCK', 5_000, 'STREAMS', 'stream', '$');
    expect(await stockRedis().ping()).toBe('PONG');
    // The read must be waiting before the entry is written, or it would not see it.
    await eventually(async () => expect(await stockRedis().client('LIST')).toContain('cmd=xread'));
    await stockRedis().xadd('stream', '*', 'a', 'b');
    expect(await waiting).toHaveLength(1);
    blocking.disconnect();
  });
});

describe('closeRedis', () => {
  it('ends every connection, and the next use opens a new one', async () => {
    const [stock, blocking] = [stockRedis(), blockingRedis()];
    await Promise.all([stock.ping(), blocking.ping()]);
    await closeRedis();
    await eventually(() => expect([stock.status, blocking.status]).toEqual(['end', 'end']));
    expect(await stockRedis().ping()).toBe('PONG');
    expect(stockRedis()).not.toBe(stock);
  });
});
