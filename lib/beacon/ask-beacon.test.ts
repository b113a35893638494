import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { bestOf } from '@/test/support/best-of';
import { askBeacon } from './ask-beacon';
import { roundAfter } from './round-after';

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves drand's form. @param value answers /public/…; @param period seconds */
async function serve(value: Answer, { period = 1, genesis = 1_000 } = {}): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/chain/info')
      response.end(JSON.stringify({ period, genesis_time: genesis, hash: 'x' }));
    else value(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closes.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/chain/`;
}

const signature = 'ab'.repeat(48);
const randomness = createHash('sha256').update(Buffer.from(signature, 'hex')).digest('hex');
const asked = ({ url }: IncomingMessage) => Number(url?.split('/').at(-1));
const tell =
  (change: (round: number) => object): Answer =>
  (request, response) =>
    response.end(JSON.stringify({ round: asked(request), randomness, signature, ...change(asked(request)) }));

it('[M4] the round is the first one after the close, whatever the moment', () => {
  const schedule = { genesisSec: 1_000, periodSec: 30 };
  // Round 1 is due at 1000 s, round 2 at 1030 s.
  expect(roundAfter(schedule, 900_000)).toEqual({ round: 1, dueAt: 1_000_000 });
  expect(roundAfter(schedule, 1_000_000)).toEqual({ round: 2, dueAt: 1_030_000 });
  expect(roundAfter(schedule, 1_029_999)).toEqual({ round: 2, dueAt: 1_030_000 });
  expect(roundAfter(schedule, 1_030_000)).toEqual({ round: 3, dueAt: 1_060_000 });
});

it('[M4] waits for the first round after the close, and asks for no other', async () => {
  const rounds: number[] = [];
  const url = await serve((request, response) => {
    rounds.push(asked(request));
    if (Date.now() < 1_000_000 + 1_000 * (asked(request) - 1)) {
      response.statusCode = 404;
      return void response.end();
    }
    tell(() => ({}))(request, response);
  });
  const closedAt = Date.now();
  const { round, dueAt } = roundAfter({ genesisSec: 1_000, periodSec: 1 }, closedAt);
  expect(await askBeacon(url, closedAt)).toBe(`${round}:${randomness}`);
  expect(Date.now()).toBeGreaterThanOrEqual(dueAt);
  expect(new Set(rounds)).toEqual(new Set([round]));
});

it('[M4] asks again while the beacon is late or breaks off', async () => {
  let tries = 0;
  const url = await serve((request, response) => {
    tries += 1;
    if (tries === 1) return void response.destroy();
    if (tries === 2) return void response.end('{"round":');
    tell(() => ({}))(request, response);
  });
  expect(await askBeacon(url, Date.now() - 10_000)).toContain(randomness);
  expect(tries).toBe(3);
});

it.each<[string, Answer]>([
  ['an older round', tell((round) => ({ round: round - 1 }))],
  ['a later round', tell((round) => ({ round: round + 1 }))],
  ['randomness that is not that of its signature', tell(() => ({ randomness: '00'.repeat(32) }))],
  ['randomness of another length', tell(() => ({ randomness: 'ab', signature: undefined }))],
  ['no end', (_, response) => void response.write('{"round":')],
  ['far too much', (_, response) => void response.end(' '.repeat(100_000))],
  ['another address', (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
  ['nonsense', (_, response) => void response.end('hello')],
])('[M4] takes none within seconds from a beacon that tells %s', async (_, answer) => {
  const url = await serve(answer);
  const ask = async () => {
    const from = performance.now();
    expect(await askBeacon(url, Date.now() - 10_000, 1_000)).toBeNull();
    return performance.now() - from;
  };
  expect(await bestOf(5_000, ask)).toBeLessThan(5_000);
});

it('[M4] takes none where nobody listens, or where the next round is a minute away', async () => {
  expect(await askBeacon('http://127.0.0.1:1/', Date.now() - 10_000, 1_000)).toBeNull();
  const url = await serve(
    tell(() => ({})),
    { period: 3_600, genesis: Math.floor(Date.now() / 1_000) - 60 },
  );
  expect(await askBeacon(url, Date.now())).toBeNull();
});
