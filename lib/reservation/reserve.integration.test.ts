import { afterAll, describe, expect, it } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { SALE_STRATEGIES } from '@/lib/contract/words/sale';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { rebuildStock } from '@/lib/loading/rebuild-stock';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { purchase } from '@/lib/purchase/purchase';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { countInDatabase, countInRedis } from '@/lib/reservation/records/count-reserved';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { findState } from '@/lib/sale/read-state';
import { configureStock } from '@/lib/stock/configure-stock';
import { makeDraft, makeSale, makeUser } from '@/test/support/make-sale';
import { reservable, usersOf, windowOf } from '@/test/support/reservable';
import { cancelReservation } from './cancel-reservation';
import { findReservation } from './find-reservation';
import { reserve } from './reserve';
import { writeReservations } from './write-reservations';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

describe.each(SALE_STRATEGIES)('in a sale of strategy %s', (strategy) => {
  it('[H1] reserving twice is one reservation, and the first answer', async () => {
    const { saleId } = await reservable({ strategy });
    const { userId } = await makeUser();
    const first = await reserve(saleId, userId);
    expect(first).toEqual({ status: 'reserved', reservedAt: expect.any(Number) });
    const again = await Promise.all([reserve(saleId, userId), reserve(saleId, userId)]);
    expect(again).toEqual(Array(2).fill({ ...first, status: 'already_reserved' }));
    expect(await findReservation({ saleId, strategy }, userId)).toBe(
      (first as { reservedAt: number }).reservedAt,
    );
    await writeReservations();
    expect(await countInDatabase(saleId)).toBe(1);
  });

  it('[H1] takes none before the window, after it, without one, or once closed; a first answer stays', async () => {
    const [early, late] = [await reservable({ strategy, opensIn: 60_000 }), await reservable({ strategy })];
    const { userId } = await makeUser();
    const first = await reserve(late.saleId, userId);
    await windowOf(late, { opensIn: -2_000, closesIn: -1_000 });
    const other = (await makeUser()).userId;
    expect(await reserve(early.saleId, userId)).toMatchObject({ status: 'not_open' });
    expect(await reserve(late.saleId, other)).toMatchObject({ status: 'closed' });
    expect(await reserve(late.saleId, userId)).toEqual({ ...first, status: 'already_reserved' });
    expect(await cancelReservation(late.saleId, userId)).toMatchObject({ status: 'closed' });

    const { sale: plain } = await makeSale({ strategy });
    expect(await reserve(plain.saleId, userId)).toEqual({ status: 'closed', window: null });
    const open = await reservable({ strategy });
    await closeSale(open.merchant, open.saleId);
    expect(await reserve(open.saleId, userId)).toMatchObject({ status: 'closed' });
    expect(await reserve((await makeDraft()).sale.saleId, userId)).toEqual({ status: 'sale_not_found' });
    expect(await reserve('nope', userId)).toEqual({ status: 'sale_not_found' });
  });

  it('[H1] more may reserve than there are pieces, and everybody sees how many', async () => {
    const { saleId } = await reservable({ strategy, totalStock: 1 });
    const userIds = await usersOf(3);
    await Promise.all(userIds.map((userId) => reserve(saleId, userId)));
    const { reservation } = (await stateOf(saleId)) ?? {};
    expect(reservation).toEqual({ opensAt: expect.any(Number), closesAt: expect.any(Number), reserved: 3 });
    const { sale: plain } = await makeSale({ strategy });
    expect(await stateOf(plain.saleId)).not.toHaveProperty('reservation');
  });

  it('[H1] a cancelled reservation is none until the shopper reserves again; cancelling twice is once', async () => {
    const { saleId } = await reservable({ strategy });
    const { userId } = await makeUser();
    expect(await cancelReservation(saleId, userId)).toEqual({ status: 'not_reserved' });
    await reserve(saleId, userId);
    const cancelled = await cancelReservation(saleId, userId);
    expect(cancelled).toEqual({ status: 'cancelled', cancelledAt: expect.any(Number) });
    expect(await cancelReservation(saleId, userId)).toEqual({ ...cancelled, status: 'already_cancelled' });
    expect(await findReservation({ saleId, strategy }, userId)).toBeNull();
    await writeReservations();
    expect(await findReservation({ saleId, strategy }, userId)).toBeNull();
    expect(await countInDatabase(saleId)).toBe(0);
    expect(await reserve(saleId, userId)).toMatchObject({ status: 'reserved' });
    await writeReservations();
    expect(await countInDatabase(saleId)).toBe(1);
  });
});

describe("the sale's limits", () => {
  it('[G1 H1] count reserving and cancelling together, for each user', async () => {
    const policy = { algorithm: 'token-bucket', limit: 2, windowSec: 86_400 };
    const { saleId } = await reservable({ limits: { user: policy } });
    const [busy = '', other = ''] = await usersOf(2);
    expect(await reserve(saleId, busy)).toMatchObject({ status: 'reserved' });
    expect(await cancelReservation(saleId, busy)).toMatchObject({ status: 'cancelled' });
    expect(await reserve(saleId, busy)).toMatchObject({ status: 'rate_limited', limited: { scope: 'user' } });
    expect(await reserve(saleId, other)).toMatchObject({ status: 'reserved' });
  });
});

describe('the crowd', () => {
  it('[H3] 10,000 concurrent reservations of 8,000 users are exactly 8,000, in Redis and in Postgres', async () => {
    const { saleId } = await reservable({ totalStock: 100 });
    const userIds = await usersOf(8_000);
    const asked = [...userIds, ...userIds.slice(0, 2_000)].sort(() => Math.random() - 0.5);
    const answers = await Promise.all(asked.map((userId) => reserve(saleId, userId)));
    const count = (status: string) => answers.filter((answer) => answer.status === status).length;
    expect({ reserved: count('reserved'), again: count('already_reserved') }).toEqual({
      reserved: 8_000,
      again: 2_000,
    });
    expect(await countInRedis(saleId)).toBe(8_000);
    // Two workers at once, as can happen.
    await Promise.all([writeReservations(), writeReservations()]);
    expect(await countInDatabase(saleId)).toBe(8_000);
    expect(await stockRedis().xlen(keys.reservations(saleId))).toBe(0);
  });

  it('[H1 E4] reserving and cancelling race: Redis and Postgres end up with the same', async () => {
    const { saleId } = await reservable();
    const userIds = await usersOf(40);
    const verbs = [reserve, reserve, cancelReservation];
    const writers = new AbortController();
    const writing = writeUntil(writers.signal);
    const steps = Array.from({ length: 2_000 }, () => ({
      verb: verbs[Math.floor(Math.random() * verbs.length)] ?? reserve,
      userId: userIds[Math.floor(Math.random() * userIds.length)] ?? '',
    }));
    const answers = await Promise.all(steps.map(({ verb, userId }) => verb(saleId, userId)));
    writers.abort();
    await writing;
    await writeReservations();

    const inRedis = Object.keys(await stockRedis().hgetall(keys.reserved(saleId))).sort();
    const rows = await db().reservation.findMany({ where: { saleId, cancelledAt: null } });
    expect(rows.map(({ userId }) => userId).sort()).toEqual(inRedis);
    // Each user's answers alternate. So there are as many reservations as cancellations, and one more if a
    // reservation stands.
    for (const userId of userIds) {
      const mine = answers.filter((_, at) => steps[at]?.userId === userId);
      const gained = mine.filter(({ status }) => status === 'reserved').length;
      const lost = mine.filter(({ status }) => status === 'cancelled').length;
      expect(gained - lost).toBe(inRedis.includes(userId) ? 1 : 0);
    }
  });
});

describe('when Redis loses them', () => {
  it('[H2 J4] a rebuild brings them back before the sale sells, from Postgres and what waits for it', async () => {
    const { saleId } = await reservable();
    const [written, cancelled, waiting] = await usersOf(3);
    if (!written || !cancelled || !waiting) throw new Error('three users');
    for (const userId of [written, cancelled]) await reserve(saleId, userId);
    await writeReservations();
    // Keep an older copy that still knows the first two. Then the rest happens, and Postgres learns of half of it.
    const older = await stockRedis().hgetall(keys.reserved(saleId));
    await cancelReservation(saleId, cancelled);
    await writeReservations();
    await reserve(saleId, waiting);
    const stream = await stockRedis().xrange(keys.reservations(saleId), '-', '+');
    expect(stream).toHaveLength(1);
    await stockRedis().del(keys.sale(saleId), keys.reserved(saleId), keys.unreserved(saleId));
    await stockRedis().hset(keys.reserved(saleId), { [cancelled]: older[cancelled] ?? '' });

    expect(await rebuildStock(saleId)).toMatchObject({ status: 'loaded' });
    const standing = Object.keys(await stockRedis().hgetall(keys.reserved(saleId)));
    expect(standing.sort()).toEqual([written, waiting].sort());
    await writeReservations();
    expect(await countInDatabase(saleId)).toBe(2);
  });
});

async function stateOf(saleId: string) {
  const result = await findState(saleId);
  return result.status === 'found' ? result.state : null;
}

async function writeUntil(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await writeReservations();
}

describe('a sale that requires it', () => {
  it.each(SALE_STRATEGIES)(
    '[H2] of strategy %s lets in and sells to those alone whose reservation stands',
    async (strategy) => {
      const sale = await reservable({ strategy, entryOpensAt: Date.now() - 1_000 });
      const { saleId } = sale;
      const [holder = '', quitter = '', untold = '', stranger = ''] = await usersOf(4);
      for (const userId of [holder, quitter]) await reserve(saleId, userId);
      const tokens = await Promise.all([holder, quitter, stranger].map((userId) => enter(saleId, userId)));
      expect(tokens.map((token) => token !== null)).toEqual([true, true, false]);
      await cancelReservation(saleId, quitter);
      expect(await enter(saleId, quitter)).toBeNull();
      // As if made while Redis was down, and Redis has not been told yet.
      await db().reservation.create({
        data: { saleId, userId: untold, reservedAt: new Date(), inRedis: strategy === 'database' },
      });
      await startNow(sale);

      expect(await buy(saleId, tokens[0])).toMatchObject({ http: 202 });
      expect(await buy(saleId, tokens[1])).toMatchObject({ http: 403, code: 'NOT_RESERVED' });
      expect(await buy(saleId, tokenOf(saleId, untold))).toMatchObject({ http: 202 });
      expect(await buy(saleId, tokenOf(saleId, stranger))).toMatchObject({ http: 403, code: 'NOT_RESERVED' });
    },
  );
});

async function enter(saleId: string, userId: string): Promise<string | null> {
  const result = await issueEntry(saleId, { userId, level: 0 });
  if (result.status === 'entered') return result.entryToken;
  expect(result).toEqual({ status: 'not_reserved' });
  return null;
}

/** Returns a token from before, whatever the reservation is now. */
const tokenOf = (saleId: string, userId: string) =>
  signEntryToken({
    userId,
    saleId,
    level: 0,
    jti: newId('jti'),
    expiresAt: Date.now() + 60_000,
    device: '',
  });

/** Ends the window and starts the sale, as time would. */
async function startNow(sale: { saleId: string }): Promise<void> {
  const { saleId } = sale;
  const startsAt = Date.now() - 1_000;
  const { epoch, strategy } = await db().sale.update({
    where: { id: saleId },
    data: { startsAt: new Date(startsAt) },
  });
  if (strategy !== 'database') await configureStock({ saleId, epoch, startsAt });
  await windowOf(sale, { opensIn: -3_000, closesIn: -2_000 });
}

async function buy(saleId: string, entryToken: string | null | undefined) {
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const reply = await purchase({ saleId, gate, entryToken: entryToken ?? null, body: '' });
  return { http: reply.status, ...JSON.parse(reply.body) };
}
