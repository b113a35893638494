import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server on this machine that some clients may be kept from, told apart by the address they come from. */
type Gate = {
  port: number;
  /** Applies to connections as they are now: of a client that is kept away nothing passes, in either direction. */
  apply(): void;
  stop(): Promise<void>;
};

type Pair = { near: Socket; far: Socket; from: string; isSilent: boolean };

/**
 * Opens a gate. Connections of a client that may pass again are reset: a stream must have no gap.
 * @param target returns the server's port, when a client comes
 * @param isAway whether a client is kept away at this moment
 */
export async function openGate(target: () => number, isAway: (from: string) => boolean): Promise<Gate> {
  const pairs = new Set<Pair>();
  const end = (pair: Pair) => {
    pairs.delete(pair);
    pair.near.destroy();
    pair.far.destroy();
  };
  const apply = () => {
    for (const pair of [...pairs]) {
      const isSilent = isAway(pair.from);
      if (pair.isSilent && !isSilent) end(pair);
      else if (isSilent) for (const socket of [pair.near, pair.far]) socket.pause();
      pair.isSilent = isSilent;
    }
  };
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target(), host: '127.0.0.1', noDelay: true });
    const pair = { near, far, from: near.remoteAddress ?? '', isSilent: false };
    pairs.add(pair);
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => near.write(chunk));
    for (const socket of [near, far])
      socket.on('error', () => {}).once('close', () => pairs.has(pair) && end(pair));
    apply();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    apply,
    async stop() {
      for (const pair of [...pairs]) end(pair);
      server.close();
      await once(server, 'close');
    },
  };
}
