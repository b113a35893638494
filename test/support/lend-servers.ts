import { type AddressInfo, createServer } from 'node:net';

/** One test file's own database and Redis server: whatever it counts, empties or breaks affects no other file. */
export type Servers = { databaseUrl: string; redisUrl: string };

export type Lent = Servers & { end(): Promise<void> };

/**
 * Lends every connection its own servers until it closes, however the process at its other end ended. Makes one set
 * in advance, so that no borrower waits for it.
 * @param make makes one more set
 * @returns `port` on loopback, for `borrowServers`; `stop` ends all servers lent or made
 */
export async function lendServers(
  make: () => Promise<Lent>,
): Promise<{ port: number; stop(): Promise<void> }> {
  const lent = new Map<Promise<Lent>, () => Promise<void>>();
  const prepare = () => {
    const next = make();
    let ended: Promise<void> | undefined;
    const end = () => {
      ended ??= next.then((servers) => servers.end()).finally(() => lent.delete(next));
      return ended;
    };
    lent.set(next, end);
    // The borrower gets the error.
    next.catch(() => {});
    return { next, end };
  };
  let spare = prepare();
  const server = createServer((socket) => {
    const { next, end } = spare;
    spare = prepare();
    socket.on('error', () => {});
    socket.once('close', () => end().catch((error) => console.error(error)));
    next.then(
      ({ databaseUrl, redisUrl }) => socket.write(JSON.stringify({ databaseUrl, redisUrl })),
      (error) => socket.write(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      await Promise.allSettled([...lent.values()].map((end) => end()));
    },
  };
}
