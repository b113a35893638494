import { expect } from 'vitest';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { cancelReservation } from '@/lib/reservation/cancel-reservation';
import { reserve } from '@/lib/reservation/reserve';
import { syncReservations } from '@/lib/reservation/sync-reservations';
import { writeReservations } from '@/lib/reservation/write-reservations';
import { syncSettings } from '@/lib/sale/admin/sync-settings';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { reservable, usersOf } from '@/test/support/reservable';
import type { Random } from '@/tools/harness/random';
import { aside } from '../faults';
import type { Subject } from '../history';
import { PRESSING } from '../life';
import { saleOf, type World, worldOf } from '../world';

/** A sale that sells to those who reserved, from before its start. */
export const reservation: Subject = {
  name: 'a sale that asks for reservations',
  async open(random) {
    const { saleId } = await reservable({ totalStock: random.int(1, 4), limitPerUser: random.int(1, 2) });
    return worldOf([saleId], await usersOf(5));
  },
  steps: {
    ...PRESSING,
    reserve: [12, (world, random) => change(world, random, reserve)],
    'cancel the reservation': [4, (world, random) => change(world, random, cancelReservation)],
    'write reservations': [3, async () => (await writeReservations()) || null],
    'tell reservations': [2, async () => (await syncReservations()) || null],
    start: [3, start],
    'lose the stock': [
      1,
      (world) => {
        const { saleId } = saleOf(world);
        return aside(() => stockRedis().del(keys.sale(saleId), keys.buyers(saleId)));
      },
    ],
  },
  // Reservations that only Redis knows go with it.
  without: ['lose Redis'],
  async tend(world) {
    await writeReservations();
    await syncReservations();
    await start(world);
  },
  check: expectReservationsKept,
};

/** The last answer to each user; what came after an answer that was lost is unknown. */
const told = new WeakMap<World, Map<string, string | null>>();

async function change(world: World, random: Random, verb: typeof reserve | typeof cancelReservation) {
  const userId = random.pick(world.userIds);
  const known = told.get(world) ?? new Map<string, string | null>();
  told.set(world, known);
  known.set(userId, null);
  const { status } = await verb(saleOf(world).saleId, userId);
  known.set(userId, status);
  return status;
}

/** Time passes: reservations close and the sale starts, once. */
async function start(world: World): Promise<void> {
  const { saleId } = saleOf(world);
  await aside(async () => {
    await db().$executeRaw`
      UPDATE sales SET starts_at = clock_timestamp() - interval '1 second', entry_opens_at = now() - interval '1 hour',
                       reservation_closes_at = clock_timestamp() - interval '1 second'
      WHERE id = ${saleId} AND starts_at > now()`;
    await forgetSaleInfo(saleId);
    await syncSettings(saleId);
  });
}

/** Only those who have a reservation bought, and whoever was told of one has it. */
async function expectReservationsKept(world: World): Promise<void> {
  const { saleId } = saleOf(world);
  const standing = (await db().reservation.findMany({ where: { saleId, cancelledAt: null } })).map(
    ({ userId }) => userId,
  );
  const buyers = (await db().order.findMany({ where: { saleId } })).map(({ userId }) => userId);
  expect(standing).toEqual(expect.arrayContaining(buyers));
  for (const [userId, status] of told.get(world) ?? []) {
    if (status === 'reserved') expect(standing).toContain(userId);
    if (status === 'cancelled') expect(standing).not.toContain(userId);
  }
}
