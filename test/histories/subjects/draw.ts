import { expect } from 'vitest';
import { db } from '@/lib/db/client';
import { runDraws } from '@/lib/draw/run-draws';
import { createDrawFixture } from '@/lib/draw/testing/draw-fixture';
import { leaveSaleLine } from '@/lib/line/leave-sale-line';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { tendWaitlists } from '@/lib/waitlist/tend-waitlists';
import type { Random } from '@/tools/harness/random';
import { aside } from '../faults';
import type { Subject } from '../history';
import { insist, saleOf, type World, worldOf } from '../world';

/** A draw that has just closed. @param count how many variants it has; 0: none */
const closed = (name: string, count: number): Subject => ({
  name,
  async open(random) {
    const variants = Array.from({ length: count }, () => random.int(0, 2));
    const wishes = Array.from({ length: count > 0 ? 6 : 0 }, () => random.int(1, count));
    const sale = { total: random.int(1, 3), variants, wishes, users: 6 };
    const { saleId, userIds } = await createDrawFixture(sale);
    return worldOf([saleId], userIds);
  },
  steps: {
    draw: [6, async (world) => (await drawNow(world)) || null],
    leave: [8, leave],
    tend: [4, tendWaitlists],
  },
  async tend(world) {
    await drawNow(world);
    await tendWaitlists();
  },
  check: expectNothingForWhoLeft,
});

export const draw = closed('a draw', 0);
export const wishedDraw = closed('a draw of variants', 3);

/** Draws as if the lease of a worker that died had run out. */
async function drawNow(world: World): Promise<number> {
  const { saleId } = saleOf(world);
  await aside(() => db().$executeRaw`UPDATE lines SET drawing_until = NULL WHERE sale_id = ${saleId}`);
  return runDraws();
}

const left = new WeakMap<World, Map<string, Date>>();

async function leave(world: World, random: Random): Promise<string> {
  const info = await findSaleInfo(saleOf(world).saleId);
  const userId = random.pick(world.userIds);
  if (!info) return 'no sale';
  const { status } = await insist(world, () => leaveSaleLine(info, userId));
  const known = left.get(world) ?? new Map<string, Date>();
  if (status === 'left' && !known.has(userId)) left.set(world, known.set(userId, new Date()));
  return status;
}

/** Leaving, once told, ends the chance of a unit, and what was won is gone. */
async function expectNothingForWhoLeft(world: World): Promise<void> {
  const { saleId } = saleOf(world);
  for (const [userId, at] of left.get(world) ?? []) {
    const late = { saleId, userId, acceptedAt: { gt: at } };
    expect(await db().order.count({ where: late }), `orders of ${userId}, who left`).toBe(0);
  }
}
