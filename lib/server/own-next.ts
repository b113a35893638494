import 'server-only';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Handler } from './create-server';

const OF_THE_ANSWER =
  /^(?:cache-control|content-type|content-length|transfer-encoding|etag|date|connection|keep-alive|x-nextjs-.*)$/i;

export type OwnNext = { origin: string; commonHeaders: () => Promise<string[]>; close: () => void };

/**
 * A second way to this process's Next, on loopback and a port of its own: with several processes on one port, nobody
 * could otherwise say which of them answers.
 */
export async function openOwnNext(next: Handler): Promise<OwnNext> {
  const server = createServer((request, response) => {
    next(request, response).catch(() => response.destroy());
  });
  // `exclusive`: in a cluster each process gets a port of its own.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve);
  });
  server.unref();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    /** The headers Next puts on every answer (next.config.ts and its own `Vary`), as it was seen to: name, value … */
    async commonHeaders() {
      const { rawHeaders } = await head(`${origin}/livez`);
      return rawHeaders.filter((_, at) => !OF_THE_ANSWER.test(rawHeaders[at - (at % 2)] ?? ''));
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function head(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      resolve(response);
    }).once('error', reject);
  });
}
