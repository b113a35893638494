import { expect } from 'vitest';
import { variantNumbers } from '@/lib/contract/words/variant';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { joinWaitlist } from '@/lib/waitlist/join-waitlist';
import { leaveWaitlist } from '@/lib/waitlist/leave-waitlist';
import { tendWaitlists } from '@/lib/waitlist/tend-waitlists';
import type { Random } from '@/tools/harness/random';
import type { Subject } from '../history';
import { pressing } from '../life';
import { insist, openWorld, press, saleOf, tokenFor, type World } from '../world';

/** A sale that has sold out, whose units go to those who wait when they come back. */
const soldOut = (name: string, count: number): Subject => {
  const numbers = variantNumbers(Array.from({ length: count }));
  return {
    name,
    async open(random) {
      const limit = random.int(1, 2);
      const stocks = numbers.map(() => limit * random.int(1, 2));
      const variants = count > 0 ? stocks : [];
      const users = 4 * numbers.length;
      const world = await openWorld({ total: stocks[0], variants, limit, waitlist: true, users });
      const sale = saleOf(world);
      const buyers = [...world.userIds];
      for (const [at, variant] of numbers.entries())
        for (const userId of buyers.splice(0, (stocks[at] ?? 0) / limit))
          await press(world, sale, tokenFor(userId, sale), limit, variant);
      return world;
    },
    steps: {
      ...pressing(numbers),
      join: [10, (world, random) => join(world, random, random.pick(numbers))],
      leave: [2, leave],
      tend: [3, tendWaitlists],
    },
    tend: tendWaitlists,
    check: expectPlacesKept,
  };
};

export const waitlist = soldOut('a sale with a waitlist', 0);
export const wishes = soldOut('a sale with variants and a waitlist', 2);

function leave(world: World, random: Random): Promise<void> {
  const userId = random.pick(world.userIds);
  return insist(world, () => leaveWaitlist(saleOf(world).saleId, userId));
}

const told = new WeakMap<World, Set<string>>();

async function join(world: World, random: Random, variant: number): Promise<string | null> {
  const { saleId } = saleOf(world);
  const info = await findSaleInfo(saleId);
  const userId = random.pick(world.userIds);
  if (!info) return 'no sale';
  const joined = await joinWaitlist(info, { userId, jti: newId('jti'), variant });
  if ('place' in joined) {
    const { number, variant: wished } = joined.place;
    told.set(world, (told.get(world) ?? new Set()).add(`${userId} ${number} ${wished}`));
  }
  return joined.status === 'available' ? null : joined.status;
}

/** Every place that was told is on record, with its variant. */
async function expectPlacesKept(world: World): Promise<void> {
  const entries = await db().waitlistEntry.findMany({ where: { saleId: saleOf(world).saleId } });
  expect(entries.map(({ userId, number, variant }) => `${userId} ${number} ${variant}`)).toEqual(
    expect.arrayContaining([...(told.get(world) ?? [])]),
  );
}
