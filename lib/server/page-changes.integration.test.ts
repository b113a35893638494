import { afterAll, describe, expect, it, vi } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';
import { followPageChanges } from './follow-page-changes';
import { announcePages } from './page-changes';

afterAll(closeRedis);

/** Ids of the connections that listen; other test files have theirs on the same server. */
async function listeners(): Promise<string[]> {
  const text = String(await stockRedis().call('CLIENT', 'LIST', 'TYPE', 'pubsub'));
  return [...text.matchAll(/^id=(\d+) .* sub=1 /gm)].map(([, id = '']) => id);
}

/** Starts following; the id of the connection that does. */
async function follow(renew: Parameters<typeof followPageChanges>[0]): Promise<string> {
  const before = await listeners();
  followPageChanges(renew);
  return vi.waitFor(async () => {
    const added = (await listeners()).find((id) => !before.includes(id));
    if (added === undefined) throw new Error('not listening yet');
    return added;
  });
}

describe('page changes', () => {
  it('[A1] what another process renewed is renewed here within 1 s; what this one announces is not', async () => {
    const renew = vi.fn(async () => {});
    await follow(renew);
    await announcePages(['/sales/own']);
    await stockRedis().publish(
      channels.pagesChanged,
      JSON.stringify({ from: 'another', paths: ['/sales/theirs'] }),
    );
    await vi.waitFor(() => expect(renew).toHaveBeenCalled(), 1_000);
    expect(renew.mock.calls).toEqual([[{ paths: ['/sales/theirs'], isLocal: true }]]);
  });

  it('[A1] after a break of the connection everything is renewed', async () => {
    const renew = vi.fn(async () => {});
    const id = await follow(renew);
    await stockRedis().client('KILL', 'ID', id);
    await vi.waitFor(
      () => expect(renew).toHaveBeenCalledWith({ paths: [], isLocal: true, isAll: true }),
      3_000,
    );
  });
});
