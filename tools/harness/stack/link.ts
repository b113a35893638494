import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection path to a server. Breaking it affects neither the server itself nor clients that use another path. */
export type Link = {
  /** The URL that reaches the server through this link. */
  url: string;
  /** Resets every connection, and new ones at once. */
  cut(): void;
  /** Lets nothing through in either direction, but breaks no connection. */
  stall(): void;
  /** Lets requests arrive and take effect, but no answer comes back. */
  mute(): void;
  /** Delays answers by two seconds, in their order. */
  slow(): void;
  /**
   * Undoes all of these. Delivers late answers now; resets connections that lost answers, since a stream must have no
   * gap.
   */
  heal(): void;
  stop(): Promise<void>;
};

type Pair = {
  near: Socket;
  far: Socket;
  isGapped: boolean;
  late: { chunk: Buffer; timer: NodeJS.Timeout }[];
};

const LATENCY_MS = 2_000;

/** Opens a link. @param target URL of a server on this machine, with its port. */
export async function openLink(target: string): Promise<Link> {
  const url = new URL(target);
  const { hostname, port } = url;
  const pairs = new Set<Pair>();
  let state: 'open' | 'cut' | 'stalled' | 'mute' | 'slow' = 'open';

  const reset = (pair: Pair) => {
    pairs.delete(pair);
    for (const { timer } of pair.late.splice(0)) clearTimeout(timer);
    pair.near.resetAndDestroy();
    pair.far.destroy();
  };
  const deliverLate = (pair: Pair) => {
    const answer = pair.late.shift();
    if (answer) pair.near.write(answer.chunk);
  };
  const server = createServer({ noDelay: true }, (near) => {
    near.on('error', () => {});
    if (state === 'cut') return void near.resetAndDestroy();
    const far = connect({ port: Number(port), host: hostname, noDelay: true });
    const pair: Pair = { near, far, isGapped: false, late: [] };
    pairs.add(pair);
    far.on('error', () => {});
    far.on('data', (chunk) => {
      if (state === 'mute') pair.isGapped = true;
      else if (state === 'slow')
        pair.late.push({ chunk, timer: setTimeout(() => deliverLate(pair), LATENCY_MS) });
      else near.write(chunk);
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
    slow() {
      state = 'slow';
    },
    heal() {
      state = 'open';
      for (const pair of [...pairs]) {
        for (const { chunk, timer } of pair.late.splice(0)) {
          clearTimeout(timer);
          pair.near.write(chunk);
        }
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
