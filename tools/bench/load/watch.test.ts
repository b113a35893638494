import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWatchers } from './watch';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const event = (status: string) => `data: {"saleId":"sale_1","status":"${status}","stock":{}}\n\n`;

/** Starts a server of streams. @param first what each stream gets at once. */
async function serve(first: string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.write(first));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { port: address && typeof address === 'object' ? address.port : 0, sockets };
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nretry: 700\n';

describe('watchers', () => {
  it('[A3] note when each reader learns of another status, also from events in pieces', async () => {
    const { port, sockets } = await serve(HEAD + event('live'));
    const watchers = createWatchers();
    stops.push(watchers.close);
    await watchers.open(port, 'sale_1', 100);
    expect(watchers.count()).toBe(100);
    const liveAt = Math.max(...watchers.learnt('live'));
    const paused = event('paused');
    for (const socket of sockets) {
      socket.write(event('live'));
      socket.write('event: beat\ndata: 123\n\n');
      socket.write(paused.slice(0, 40));
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(watchers.learnt('paused')).toEqual([]);
    expect(Math.max(...watchers.learnt('live'))).toBe(liveAt);
    for (const socket of sockets) socket.write(paused.slice(40));
    await vi.waitFor(() => expect(watchers.learnt('paused')).toHaveLength(100), 30_000);
    expect(Math.min(...watchers.learnt('paused'))).toBeGreaterThan(liveAt);
    for (const socket of sockets) socket.write(event('paused').replace('"stock":{}', '"line":{"held":true}'));
    await vi.waitFor(() => expect(watchers.learnt('held')).toHaveLength(100), 30_000);
  });

  // Elsewhere only 127.0.0.1 is an address of this machine.
  it.skipIf(process.platform !== 'linux')(
    '[A3] come from several addresses, since one may not have all streams',
    async () => {
      const { port, sockets } = await serve(HEAD + event('live'));
      const watchers = createWatchers();
      stops.push(watchers.close);
      await watchers.open(port, 'sale_1', 501);
      expect(new Set(sockets.map(({ remoteAddress }) => remoteAddress)).size).toBe(2);
      watchers.close();
      await vi.waitFor(() => expect(watchers.count()).toBe(0), 30_000);
    },
  );

  it('[A3] say so when a stream is refused', async () => {
    const { port, sockets } = await serve('HTTP/1.1 503 Service Unavailable\r\n');
    const opening = createWatchers().open(port, 'sale_1', 1);
    await vi.waitFor(() => expect(sockets).toHaveLength(1), 30_000);
    sockets[0]?.end();
    await expect(opening).rejects.toThrow('was closed: HTTP/1.1 503 Service Unavailable');
  });
});
