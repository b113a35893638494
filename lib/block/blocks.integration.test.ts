import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';
import { eventually } from '@/test/support/eventually';
import { type BlockRequest, blockSubjects } from './block-subjects';
import { findBlock } from './find-block';
import { liftBlock } from './lift-block';
import { listBlocks } from './list-blocks';
import { announceBlocks, stopWatchingBlocks, watchBlocks } from './watch-blocks';

const HOUR = 3_600_000;

beforeEach(async () => {
  stopWatchingBlocks();
  await db().block.deleteMany();
});
afterAll(async () => {
  stopWatchingBlocks();
  await Promise.all([closeRedis(), closeDb()]);
});

const request = (value: string, more: Partial<BlockRequest> = {}): BlockRequest => ({
  kind: 'user',
  value,
  reason: 'a bot',
  by: 'user_admin',
  expiresAt: null,
  ...more,
});

async function block(...requests: BlockRequest[]) {
  return (await blockSubjects(requests)).map((outcome) => {
    if (outcome.status !== 'blocked') throw new Error(outcome.problem);
    return outcome.block;
  });
}

const live = async () => (await listBlocks({ limit: 100 }, { state: 'live' }))?.blocks ?? [];

describe('blocking', () => {
  it('[G8] is in force in this process at once, with reason, author and expiry, and ends by lifting, at once too', async () => {
    await watchBlocks();
    const until = Date.now() + HOUR;
    const [user, network] = await block(
      request('user_1', { expiresAt: until }),
      request('203.0.113.9/24', { kind: 'ip', by: 'rule:flood' }),
    );
    expect(user).toMatchObject({
      kind: 'user',
      value: 'user_1',
      reason: 'a bot',
      by: 'user_admin',
      expiresAt: until,
    });
    expect(network).toMatchObject({ kind: 'ip', value: '203.0.113.0/24', by: 'rule:flood', expiresAt: null });
    expect(findBlock({ userId: 'user_1' })).toEqual({ kind: 'user', expiresAt: until });
    expect(findBlock({ userId: 'user_2', address: () => '203.0.113.77' })).toEqual({
      kind: 'ip',
      expiresAt: null,
    });
    expect(await live()).toEqual([network, user]);

    const lifted = await liftBlock(user?.id ?? '', 'user_admin');
    expect(lifted).toMatchObject({ id: user?.id, liftedBy: 'user_admin' });
    expect(findBlock({ userId: 'user_1' })).toBeNull();
    expect(await liftBlock(user?.id ?? '', 'somebody else')).toEqual(lifted);
    expect(await live()).toEqual([network]);
    for (const id of ['0', '99999', 'x', '9'.repeat(40), '-1'])
      expect(await liftBlock(id, 'user_admin')).toBeNull();
  });

  it('[G8] the same subject again is the same block: longer extends it, shorter and equal change nothing', async () => {
    const now = Date.now();
    const [first] = await block(request('u', { expiresAt: now + HOUR }));
    const [shorter] = await block(request('u', { expiresAt: now + HOUR / 2, reason: 'other', by: 'rule:x' }));
    expect(shorter).toEqual(first);
    const [longer] = await block(request('u', { expiresAt: now + 2 * HOUR, reason: 'again', by: 'rule:x' }));
    expect(longer).toEqual({ ...first, expiresAt: now + 2 * HOUR, reason: 'again', by: 'rule:x' });
    const [forEver] = await block(request('u'));
    expect(forEver).toMatchObject({ id: first?.id, expiresAt: null });
    expect(await block(request('u', { expiresAt: now + HOUR }))).toEqual([forEver]);
    // The same subject spelled differently, and twice in one call: the longest block counts.
    const both = await block(
      request('::ffff:192.0.2.1', { kind: 'ip', expiresAt: now + HOUR }),
      request('192.0.2.1/32', { kind: 'ip', expiresAt: now + 2 * HOUR }),
    );
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    expect(both[0]).toMatchObject({ value: '192.0.2.1', expiresAt: now + 2 * HOUR });
    expect(await db().block.count()).toBe(2);
  });

  it('[G8] after one has expired or was lifted a new one begins; the old stays on record', async () => {
    await watchBlocks();
    const [first] = await block(request('u', { expiresAt: Date.now() + HOUR }));
    await db().block.update({
      where: { id: BigInt(first?.id ?? 0) },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    const [second] = await block(request('u', { expiresAt: Date.now() + HOUR, reason: 'anew' }));
    expect(second?.id).not.toBe(first?.id);
    expect(findBlock({ userId: 'u' })).not.toBeNull();
    await liftBlock(second?.id ?? '', 'user_admin');
    await block(request('u'));
    const all = (await listBlocks({ limit: 10 }, { state: 'all' }))?.blocks ?? [];
    expect(all.map(({ liftedAt, liftedBy }) => [liftedAt !== null, liftedBy])).toEqual([
      [false, null],
      [true, 'user_admin'],
      [true, null],
    ]);
  });

  it('[G8] nonsense is refused alone, the rest is blocked', async () => {
    const outcomes = await blockSubjects([
      request('a b'),
      request('good'),
      request('1.2.3', { kind: 'ip' }),
      request('0.0.0.0/0', { kind: 'ip' }),
      request('late', { expiresAt: Date.now() - 1 }),
      request('long', { reason: 'x'.repeat(10_000) }),
    ]);
    expect(outcomes.map((each) => (each.status === 'refused' ? each.problem : each.status))).toEqual([
      'not_an_id',
      'blocked',
      'not_a_network',
      'too_wide',
      'in_the_past',
      'blocked',
    ]);
    expect((await live()).map(({ reason }) => reason.length)).toEqual([500, 5]);
    expect(await blockSubjects([])).toEqual([]);
    await expect(blockSubjects(Array.from({ length: 10_001 }, (_, n) => request(`u${n}`)))).rejects.toThrow(
      RangeError,
    );
  });

  it('[G8] many at once, from many sides at once: each subject has one block, and memory knows every one of them', async () => {
    await watchBlocks();
    const requests = Array.from({ length: 3_000 }, (_, n) =>
      request(`u${n}`, { expiresAt: Date.now() + HOUR }),
    );
    const batches = Array.from({ length: 6 }, (_, n) => requests.slice(n * 400, n * 400 + 1_000));
    await Promise.all(batches.map((batch) => blockSubjects(batch)));
    expect(await db().block.count()).toBe(3_000);
    expect(requests.filter(({ value }) => !findBlock({ userId: value }))).toEqual([]);
  });
});

describe('a process that watches the list', () => {
  it('[G8] knows what was there before, and nothing without watching', async () => {
    const [gone] = await block(
      request('gone'),
      request('there'),
      request('lapsed', { expiresAt: Date.now() + HOUR }),
    );
    await liftBlock(gone?.id ?? '', 'user_admin');
    await db().block.updateMany({
      where: { value: 'lapsed' },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(findBlock({ userId: 'there' })).toBeNull();
    await watchBlocks();
    expect(['gone', 'there', 'lapsed'].map((userId) => findBlock({ userId }) !== null)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('[G8] learns what another process wrote by looking for itself, without any message', async () => {
    await watchBlocks();
    const publish = vi.spyOn(stockRedis(), 'publish').mockResolvedValue(0);
    await db().block.create({ data: { kind: 'user', value: 'silent', reason: 'r', blockedBy: 'x' } });
    await eventually(() => expect(findBlock({ userId: 'silent' })).not.toBeNull(), 5);
    expect(publish).not.toHaveBeenCalled();
    publish.mockRestore();
  });

  it('[G8] is told by the message, long before it would have looked', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await watchBlocks();
    vi.useRealTimers();
    await db().block.create({ data: { kind: 'device', value: 'told', reason: 'r', blockedBy: 'x' } });
    // The process's own clock stands still, so only a message brings the change. The first message may come before
    // the process listens.
    await eventually(async () => {
      await stockRedis().publish(channels.blocksChanged, '');
      expect(findBlock({ device: 'told' })).not.toBeNull();
    });
  });

  it('[G8] lets a block expire by the clock, without any news', async () => {
    await watchBlocks();
    const until = Date.now() + HOUR;
    await block(request('u', { expiresAt: until }));
    vi.useFakeTimers({ toFake: ['Date'], now: until - 1 });
    expect(findBlock({ userId: 'u' })).not.toBeNull();
    vi.setSystemTime(until);
    expect(findBlock({ userId: 'u' })).toBeNull();
    vi.useRealTimers();
  });

  it('[G8] misses no change made while it reads, however they interleave', async () => {
    await watchBlocks();
    const rounds = Array.from({ length: 40 }, (_, n) => n);
    await Promise.all(
      rounds.map(async (n) => {
        const [made] = await block(request(`r${n}`));
        if (n % 2 === 0) await liftBlock(made?.id ?? '', 'user_admin');
      }),
    );
    await announceBlocks();
    expect(rounds.filter((n) => (findBlock({ userId: `r${n}` }) !== null) !== (n % 2 === 1))).toEqual([]);
  });
});

it('[G8] the list is paged and filtered; a foreign cursor is refused', async () => {
  await block(
    ...Array.from({ length: 5 }, (_, n) => request(`u${n}`)),
    request('10.0.0.0/8', { kind: 'ip' }),
  );
  const first = await listBlocks({ limit: 4 }, { state: 'live' });
  const second = await listBlocks({ limit: 4, cursor: first?.nextCursor ?? '' }, { state: 'live' });
  expect([...(first?.blocks ?? []), ...(second?.blocks ?? [])].map(({ value }) => value)).toEqual([
    '10.0.0.0/8',
    'u4',
    'u3',
    'u2',
    'u1',
    'u0',
  ]);
  expect(second?.nextCursor).toBeNull();
  expect((await listBlocks({ limit: 9 }, { state: 'live', kind: 'ip' }))?.blocks).toHaveLength(1);
  expect((await listBlocks({ limit: 9 }, { state: 'all', value: 'u3' }))?.blocks).toHaveLength(1);
  for (const value of ['%', '_3', 'u_', '\\'])
    expect((await listBlocks({ limit: 9 }, { state: 'all', value }))?.blocks, value).toEqual([]);
  // The filter names a single address, and finds the network that contains it.
  expect((await listBlocks({ limit: 9 }, { state: 'all', value: '10.20.30.40' }))?.blocks).toHaveLength(1);
  expect((await listBlocks({ limit: 9 }, { state: 'all', value: '11.20.30.40' }))?.blocks).toHaveLength(0);
  expect(await listBlocks({ limit: 9, cursor: 'bm9uc2Vuc2U' }, { state: 'all' })).toBeNull();
});
