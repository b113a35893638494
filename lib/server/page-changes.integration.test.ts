import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { visitAt } from '@/lib/pages/prewarm-pages';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';
import { eventually } from '@/test/support/eventually';
import { followPageChanges } from './follow-page-changes';
import { announcePages, localPages, warmPages } from './page-changes';

afterAll(closeRedis);

/** Returns the ids of the connections that listen. */
async function listeners(): Promise<string[]> {
  const text = String(await stockRedis().call('CLIENT', 'LIST', 'TYPE', 'pubsub'));
  return [...text.matchAll(/^id=(\d+) .* sub=1 /gm)].map(([, id = '']) => id);
}

/** Starts following; returns the id of its connection. */
async function follow(renew: Parameters<typeof followPageChanges>[0]): Promise<string> {
  const before = await listeners();
  followPageChanges(renew);
  return eventually(async () => {
    const added = (await listeners()).find((id) => !before.includes(id));
    if (added === undefined) throw new Error('not listening yet');
    return added;
  });
}

describe('page changes', () => {
  it('[A1] what another process renewed is renewed here; what this one announces is not', async () => {
    const renew = vi.fn(async () => {});
    await follow(renew);
    await announcePages(['/sales/own']);
    await stockRedis().publish(
      channels.pagesChanged,
      JSON.stringify({ from: 'another', paths: ['/sales/theirs'] }),
    );
    await eventually(() => expect(renew).toHaveBeenCalled());
    expect(renew.mock.calls).toEqual([[{ paths: ['/sales/theirs'], isLocal: true }]]);
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

  it('[A1] after a break of the connection everything is renewed', async () => {
    const renew = vi.fn(async () => {});
    const id = await follow(renew);
    await stockRedis().client('KILL', 'ID', id);
    await eventually(() => expect(renew).toHaveBeenCalledWith({ paths: [], isLocal: true, isAll: true }));
  });
});
