import { issueEntry } from '@/lib/admission/issue-entry';
import { db } from '@/lib/db/client';
import { joinSaleLine } from '@/lib/line/join-sale-line';
import { leaveSaleLine } from '@/lib/line/leave-sale-line';
import { tendLines } from '@/lib/line/tend-lines';
import { syncSettings } from '@/lib/sale/admin/sync-settings';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { createLineSale, startsIn } from '@/test/support/line-sale';
import type { Random } from '@/tools/harness/random';
import { aside } from '../faults';
import type { Subject } from '../history';
import { repeatPress } from '../life';
import { insist, press, saleOf, type World, worldOf } from '../world';

/** A sale with a waiting room, from before its start. */
export const waitingRoom: Subject = {
  name: 'a sale with a waiting room',
  async open(random) {
    const { saleId, userIds } = await createLineSale({ total: random.int(1, 3), users: 6 });
    const world = await worldOf([saleId], userIds);
    for (const userId of userIds.slice(0, 3)) await joinAs(world, userId);
    return world;
  },
  steps: {
    join: [6, (world, random) => joinAs(world, random.pick(world.userIds))],
    leave: [1, leave],
    start: [4, start],
    tend: [10, tend],
    'enter and press': [14, enterAndPress],
    'press again': [2, repeatPress],
  },
  async tend(world) {
    await start(world);
    await tend(world);
  },
};

const memberOf = (userId: string) => ({ userId, device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 });

const joinAs = async (world: World, userId: string) =>
  (await joinSaleLine(saleOf(world).saleId, memberOf(userId), { address: null })).status;

async function leave(world: World, random: Random): Promise<string> {
  const info = await findSaleInfo(saleOf(world).saleId);
  const userId = random.pick(world.userIds);
  return info ? (await insist(world, () => leaveSaleLine(info, userId))).status : 'no sale';
}

/** The start comes, once. */
async function start(world: World): Promise<void> {
  const { saleId } = saleOf(world);
  await aside(async () => {
    const { startsAt } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    if (startsAt.getTime() > Date.now()) await startsIn({ saleId }, -1);
    await syncSettings(saleId);
  });
}

/** Tends the line as if a quarter of a second had passed. */
async function tend(world: World): Promise<number> {
  const { saleId } = saleOf(world);
  await aside(
    () =>
      db()
        .$executeRaw`UPDATE lines SET tended_at = tended_at - interval '0.3 seconds' WHERE sale_id = ${saleId}`,
  );
  return tendLines();
}

async function enterAndPress(world: World, random: Random): Promise<string> {
  const sale = saleOf(world);
  const entry = await issueEntry(sale.saleId, memberOf(random.pick(world.userIds)));
  return entry.status === 'entered' ? press(world, sale, entry.entryToken) : entry.status;
}
