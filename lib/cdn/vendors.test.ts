import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PurgeAdapter } from './adapter';
import { sendPurge } from './send-purge';
import { purgeAdapter } from './vendors';

type Heard = { method?: string; path?: string; headers: IncomingHttpHeaders; body: unknown };
type Answer = { status: number; headers?: Record<string, string>; body?: string };
const TOKEN = 's3cret-s3cret-s3cret';
const TAGS = Array.from({ length: 300 }, (_, n) => `sale-${n}`);
const taken = { status: 'taken' };

let heard: Heard[] = [];
/** Undefined: the CDN says nothing. */
let answer: Answer | undefined;
let server: Server;
let apiUrl = '';
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, url: path, headers } = request;
    heard.push({ method, path, headers, body: JSON.parse(body) });
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  heard = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const adapterOf = (vendor: 'cloudflare' | 'fastly') =>
  purgeAdapter({ cdn: { vendor, zone: 'zone1', token: TOKEN, apiUrl } }) as PurgeAdapter;

/** Sends everything, as one attempt does. */
async function purge(adapter: PurgeAdapter, said: Answer | undefined, tags = TAGS) {
  answer = said;
  const outcomes: unknown[] = [];
  for (const one of adapter.requests({ tags, paths: ['/'] }))
    outcomes.push(await sendPurge(one, adapter, said ? 30_000 : 300));
  return outcomes;
}

describe("a CDN's interface", () => {
  it('[K3] Cloudflare gets tags by the hundred, with the token of the zone', async () => {
    const said = { status: 200, body: '{"success":true,"errors":[],"messages":[],"result":{"id":"zone1"}}' };
    expect(await purge(adapterOf('cloudflare'), said)).toEqual([taken, taken, taken]);
    expect(heard.map(({ body }) => body)).toEqual(
      [0, 100, 200].map((from) => ({ tags: TAGS.slice(from, from + 100) })),
    );
    for (const { method, path, headers } of heard) {
      expect([method, path]).toEqual(['POST', '/zones/zone1/purge_cache']);
      expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' });
    }
  });

  it('[K3] Fastly gets keys, at most 256 at once, with its own header', async () => {
    const said = { status: 200, body: '{"sale-0":"108-1391560174-974124"}' };
    expect(await purge(adapterOf('fastly'), said)).toEqual([taken, taken]);
    expect(heard.map(({ body }) => body)).toEqual([
      { surrogate_keys: TAGS.slice(0, 256) },
      { surrogate_keys: TAGS.slice(256) },
    ]);
    for (const { method, path, headers } of heard) {
      expect([method, path]).toEqual(['POST', '/service/zone1/purge']);
      expect(headers).toMatchObject({ 'fastly-key': TOKEN, accept: 'application/json' });
      expect(headers.authorization).toBeUndefined();
    }
  });

  it('[K3] says why it failed, whether to try again and when, without a secret', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const tries: ['cloudflare' | 'fastly', Answer | undefined, object][] = [
      [
        'cloudflare',
        { status: 429, headers: { 'retry-after': '12' } },
        { error: 'answered 429', isFinal: false, waitMs: 12_000 },
      ],
      ['cloudflare', { status: 429, headers: { 'retry-after': 'soon' } }, { isFinal: false, waitMs: null }],
      [
        'cloudflare',
        { status: 200, body: '{"success":false,"errors":[{"code":1134}]}' },
        { error: 'refused, code 1134' },
      ],
      ['cloudflare', { status: 200, body: 'null' }, { error: 'refused, code unknown' }],
      ['cloudflare', { status: 403 }, { error: 'answered 403', isFinal: true }],
      [
        'fastly',
        { status: 429, headers: { 'fastly-ratelimit-reset': String(now + 90) } },
        { isFinal: false },
      ],
      ['fastly', { status: 401 }, { error: 'answered 401', isFinal: true }],
      ['fastly', { status: 500 }, { error: 'answered 500', isFinal: false, waitMs: null }],
      ['fastly', { status: 302, headers: { location: `${apiUrl}/elsewhere` } }, { isFinal: false }],
      ['fastly', undefined, { error: 'no answer in 0.3 s', isFinal: false }],
    ];
    for (const [vendor, said, expected] of tries) {
      const [outcome] = await purge(adapterOf(vendor), said, ['sales']);
      expect(outcome, JSON.stringify(said)).toMatchObject({ status: 'failed', ...expected });
      expect(JSON.stringify(outcome)).not.toMatch(/s3cret|zone1|127\.0\.0\.1/);
    }
    const [limited] = await purge(adapterOf('fastly'), tries[5]?.[1], ['sales']);
    expect((limited as { waitMs: number }).waitMs).toBeGreaterThan(80_000);
    expect(heard.every(({ path }) => path !== '/elsewhere')).toBe(true);
  });
});
