import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Echo = {
  origin: string;
  /** Returns how many requests came for a path, ignoring the query. */
  count: (path: string) => number;
  stop: () => Promise<void>;
};

/** The body of `startEcho`'s answers. */
export type Echoed = { target: string; headers: IncomingHttpHeaders; peer: string };

/**
 * For tests: starts a web process that answers every request with what reached it, but never answers /hang. Caches
 * may keep answers below /_next/static/ like Next's files, and answers for paths ending in /state like a sale's
 * state.
 */
export async function startEcho(): Promise<Echo> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const { url: target = '', headers } = request;
    const path = target.replace(/\?.*/, '');
    counts.set(path, (counts.get(path) ?? 0) + 1);
    request.resume();
    if (path === '/hang') return;
    const cacheControl = path.startsWith('/_next/static/')
      ? 'public, max-age=31536000, immutable'
      : path.endsWith('/state')
        ? 'public, max-age=1'
        : 'no-store';
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': cacheControl });
    response.end(JSON.stringify({ target, headers, peer: request.socket.remoteAddress ?? '' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (path) => counts.get(path) ?? 0,
    async stop() {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
}
