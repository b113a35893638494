import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be broken without the server noticing, or anyone who does not use it. */
export type Link = {
  /** The server's address, by this way. */
  url: string;
  /** Every connection is reset, and new ones at once. */
  cut(): void;
  /** Nothing comes through in either direction, and no connection breaks. */
  stall(): void;
  /** What is asked arrives and is done, but no answer comes back. */
  mute(): void;
  /** Everything as it was; connections that have lost answers are reset, as a stream with a gap is none. */
  heal(): void;
  stop(): Promise<void>;
};

type Pair = { near: Socket; far: Socket; isGapped: boolean };

/** @param target URL of a server on this machine, with its port. */
export async function openLink(target: string): Promise<Link> {
  const url = new URL(target);
  const { hostname, port } = url;
  const pairs = new Set<Pair>();
  let state: 'open' | 'cut' | 'stalled' | 'mute' = 'open';

  const reset = (pair: Pair) => {
    pairs.delete(pair);
    pair.near.resetAndDestroy();
    pair.far.destroy();
  };
  const server = createServer({ noDelay: true }, (near) => {
    near.on('error', () => {});
    if (state === 'cut') return void near.resetAndDestroy();
    const far = connect({ port: Number(port), host: hostname, noDelay: true });
    const pair: Pair = { near, far, isGapped: false };
    pairs.add(pair);
    far.on('error', () => {});
    far.on('data', (chunk) => {
      if (state !== 'mute') near.write(chunk);
      else pair.isGapped = true;
    });
    near.on('data', (chunk) => far.write(chunk));
    for (const socket of [near, far]) socket.once('close', () => reset(pair));
    if (state === 'stalled') pause(pair);
  });
  const pause = ({ near, far }: Pair) => {
    near.pause();
    far.pause();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  return {
    url: url.href,
    cut() {
      state = 'cut';
      for (const pair of [...pairs]) reset(pair);
    },
    stall() {
      state = 'stalled';
      for (const pair of pairs) pause(pair);
    },
    mute() {
      state = 'mute';
    },
    heal() {
      state = 'open';
      for (const pair of [...pairs]) {
        if (pair.isGapped) reset(pair);
        else {
          pair.near.resume();
          pair.far.resume();
        }
      }
    },
    async stop() {
      for (const pair of [...pairs]) reset(pair);
      server.close();
      await once(server, 'close');
    },
  };
}
