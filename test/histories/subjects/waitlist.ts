import { expect } from 'vitest';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { joinWaitlist } from '@/lib/waitlist/join-waitlist';
import { leaveWaitlist } from '@/lib/waitlist/leave-waitlist';
import { tendWaitlists } from '@/lib/waitlist/tend-waitlists';
import type { Random } from '@/tools/harness/random';
import type { Subject } from '../history';
import { PRESSING } from '../life';
import { insist, openWorld, press, saleOf, tokenFor, type World } from '../world';

/** A sale that has sold out, whose units go to those who wait when they come back. */
export const waitlist: Subject = {
  name: 'a sale with a waitlist',
  async open(random) {
    const limit = random.int(1, 2);
    const total = limit * random.int(1, 2);
    const world = await openWorld({ total, limit, waitlist: true, users: 4 });
    const sale = saleOf(world);
    for (const userId of world.userIds.slice(0, total / limit))
      await press(world, sale, tokenFor(userId, sale), limit);
    return world;
  },
  steps: {
    ...PRESSING,
    join: [10, join],
    leave: [2, leave],
    tend: [3, tendWaitlists],
  },
  tend: tendWaitlists,
  check: expectPlacesKept,
};

function leave(world: World, random: Random): Promise<void> {
  const userId = random.pick(world.userIds);
  return insist(world, () => leaveWaitlist(saleOf(world).saleId, userId));
}

const told = new WeakMap<World, Set<string>>();

async function join(world: World, random: Random): Promise<string | null> {
  const { saleId } = saleOf(world);
  const info = await findSaleInfo(saleId);
  const userId = random.pick(world.userIds);
  if (!info) return 'no sale';
  const joined = await joinWaitlist(info, { userId, jti: newId('jti') });
  if ('place' in joined)
    told.set(world, (told.get(world) ?? new Set()).add(`${userId} ${joined.place.number}`));
  return joined.status === 'available' ? null : joined.status;
}

/** Every place that was told is on record. */
async function expectPlacesKept(world: World): Promise<void> {
  const entries = await db().waitlistEntry.findMany({ where: { saleId: saleOf(world).saleId } });
  expect(entries.map(({ userId, number }) => `${userId} ${number}`)).toEqual(
    expect.arrayContaining([...(told.get(world) ?? [])]),
  );
}
