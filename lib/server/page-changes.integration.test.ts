import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { visitAt } from '@/lib/admin/pages/prewarm-pages';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';
import { bestOf } from '@/test/support/best-of';
import { followPageChanges } from './follow-page-changes';
import { announcePages, localPages, warmPages } from './page-changes';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** Returns the ids of the connections that listen. */
async function listeners(): Promise<string[]> {
  const text = String(await stockRedis().call('CLIENT', 'LIST', 'TYPE', 'pubsub'));
  return [...text.matchAll(/^id=(\d+) .* sub=1 /gm)].map(([, id = '']) => id);
}

/** Starts following; returns the id of its connection. */
async function follow(renew: Parameters<typeof followPageChanges>[0]): Promise<string> {
  const before = await listeners();
  followPageChanges(renew);
  return vi.waitFor(async () => {
    const added = (await listeners()).find((id) => !before.includes(id));
    if (added === undefined) throw new Error('not listening yet');
    return added;
  }, 60_000);
}

describe('page changes', () => {
  it('[A1] what another process renewed is renewed here within 1 s; what this one announces is not', async () => {
    const renew = vi.fn(async () => {});
    await follow(renew);
    await announcePages(['/sales/own']);
    const hear = async () => {
      const from = performance.now();
      const message = JSON.stringify({ from: 'another', paths: ['/sales/theirs'] });
      await stockRedis().publish(channels.pagesChanged, message);
      await vi.waitFor(() => expect(renew).toHaveBeenCalled(), { timeout: 30_000, interval: 10 });
      const tookMs = performance.now() - from;
      expect(renew.mock.calls).toEqual([[{ paths: ['/sales/theirs'], isLocal: true }]]);
      renew.mockClear();
      return tookMs;
    };
    expect(await bestOf(1_000, hear)).toBeLessThan(1_000);
  });

  it('[A2] pages are visited once where this very process answers, a few at a time; nowhere without a way there', async () => {
    await warmPages(['/', '/sales/x']);
    const visited: string[] = [];
    let atOnce = 0;
    let most = 0;
    const server = createServer((request, response) => {
      visited.push(request.url ?? '');
      atOnce += 1;
      most = Math.max(most, atOnce);
      setImmediate(() => {
        atOnce -= 1;
        response.writeHead(request.url === '/broken' ? 500 : 200).end('page');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    localPages().visit = visitAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const addresses = ['/', '/zh-CN', '/broken', ...Array.from({ length: 30 }, (_, n) => `/sales/s-${n}`)];
    await warmPages(addresses);
    expect(visited.sort()).toEqual(addresses.sort());
    expect(most).toBeLessThanOrEqual(4);
    server.close();
    server.closeAllConnections();
    // Next is gone meanwhile: the first visitor will make the pages.
    await warmPages(addresses);
    localPages().visit = undefined;
  });

  it('[O11] where all pages have changed, all are renewed here, too', async () => {
    const renew = vi.fn(async () => {});
    await follow(renew);
    const message = JSON.stringify({ from: 'another', paths: ['/'], isAll: true });
    await stockRedis().publish(channels.pagesChanged, message);
    await vi.waitFor(
      () => expect(renew.mock.calls).toEqual([[{ paths: ['/'], isLocal: true, isAll: true }]]),
      30_000,
    );
  });

  it('[O11] a process that starts renews what the build made, if the footer has links by now', async () => {
    const text = { page: 'terms', locale: 'en', text: 'Be kind.', version: 1, changedAt: new Date() };
    await db().siteText.create({ data: text });
    try {
      const renew = vi.fn(async () => {});
      await follow(renew);
      await vi.waitFor(
        () => expect(renew).toHaveBeenCalledWith({ paths: [], isLocal: true, isAll: true }),
        30_000,
      );
    } finally {
      await db().siteText.deleteMany();
    }
  });

  it('[A1] after a break of the connection everything is renewed', async () => {
    const renew = vi.fn(async () => {});
    const id = await follow(renew);
    await stockRedis().client('KILL', 'ID', id);
    await vi.waitFor(
      () => expect(renew).toHaveBeenCalledWith({ paths: [], isLocal: true, isAll: true }),
      30_000,
    );
  });
});
