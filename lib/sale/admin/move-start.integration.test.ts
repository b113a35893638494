import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { purchase } from '@/lib/purchase/purchase';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readState } from '@/lib/sale/read-state';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { tokenFor } from '@/lib/server/testing/send-purchase';
import { stocksOf } from '@/lib/slice/numbers/stock-ids';
import { readSettings } from '@/lib/stock/read-settings';
import { eventually } from '@/test/support/eventually';
import { giveLocksTheirOwnRedis } from '@/test/support/locks-apart';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { editSale } from './edit-sale';
import { setSalePaused } from './pause-sale';

giveLocksTheirOwnRedis();

const HOUR_MS = 3_600_000;
const rowOf = (saleId: string) => db().sale.findUniqueOrThrow({ where: { id: saleId } });
const stateOf = async (saleId: string) => JSON.parse((await readState(saleId)).body.toString());

/** A sale that starts in an hour. */
const makeComing = (input: Record<string, unknown> = {}) => {
  const startsAt = Date.now() + HOUR_MS;
  return makeSale({ startsAt, endsAt: startsAt + HOUR_MS, ...input });
};

/** Edits what is current. */
async function edit(actor: Actor, saleId: string, changes: object) {
  const { version } = await rowOf(saleId);
  return editSale(actor, saleId, { ...changes, version });
}

async function press({ saleId }: SaleInfo): Promise<string> {
  const [{ userId }, { gate }] = await Promise.all([makeUser(), rowOf(saleId)]);
  const reply = await purchase({ saleId, gate, entryToken: tokenFor(saleId, userId), body: '' });
  return reply.status === 202 ? 'accepted' : JSON.parse(reply.body.toString()).code;
}

/** A sale that starts in a moment and is moved by an hour before. A machine that is too slow for this gets more time. */
async function moveInTime(
  input: object,
  leadMs = 2_000,
): Promise<{ sale: SaleInfo; merchant: Actor; old: number }> {
  const old = Date.now() + leadMs;
  const { sale, merchant } = await makeSale({ startsAt: old, endsAt: old + HOUR_MS, ...input });
  const moved = await edit(merchant, sale.saleId, { startsAt: old + HOUR_MS, endsAt: old + 2 * HOUR_MS });
  if (moved.status === 'fixed') return moveInTime(input, leadMs * 2);
  expect(moved).toMatchObject({ status: 'changed', sale: { startsAt: old + HOUR_MS } });
  return { sale, merchant, old };
}

describe('the start of a published sale', () => {
  it.each([
    { strategy: 'script' },
    { strategy: 'lock' },
    { strategy: 'database' },
    { strategy: 'queue' },
    { slices: 4 },
    { onStockOutage: 'database' },
  ])('[L3 A1] moves: nobody buys at the old one, and everybody at the new one (%j)', async (input) => {
    const { sale, merchant, old } = await moveInTime(input);
    const { saleId } = sale;
    await delay(Math.max(0, old + 50 - Date.now()));
    expect(await press(sale)).toBe('NOT_STARTED');
    expect(await stateOf(saleId)).toMatchObject({ status: 'scheduled', startsAt: old + HOUR_MS, gate: null });

    // It has to lie ahead when it is decided, on a machine that stands still, too.
    let soon = 0;
    for (let leadMs = 1_500, isMoved = false; !isMoved; leadMs *= 2) {
      soon = Date.now() + leadMs;
      isMoved = (await edit(merchant, saleId, { startsAt: soon })).status === 'changed';
      expect(isMoved || leadMs < 60_000).toBe(true);
    }
    await eventually(async () => expect(await press(sale)).toMatch(/^accepted$|^undecided$/));
    expect(await stateOf(saleId)).toMatchObject({ status: 'live', startsAt: soon });
    expect((await rowOf(saleId)).startsAt.getTime()).toBe(soon);
  });

  it('[L3] moves what hangs on it, earlier and later, and says so in the audit log', async () => {
    const startsAt = Date.now() + 2 * HOUR_MS;
    const { sale, merchant } = await makeComing({
      startsAt,
      endsAt: startsAt + HOUR_MS,
      entryOpensAt: startsAt - HOUR_MS / 2,
      reservation: { opensAt: startsAt - 4 * HOUR_MS, closesAt: startsAt - HOUR_MS },
    });
    const { saleId } = sale;
    for (const byMs of [HOUR_MS, -HOUR_MS / 2]) {
      const from = await rowOf(saleId);
      await edit(merchant, saleId, {
        startsAt: from.startsAt.getTime() + byMs,
        endsAt: from.endsAt.getTime() + byMs,
      });
      const info = await findSaleInfo(saleId);
      expect(info).toMatchObject({
        startsAt: from.startsAt.getTime() + byMs,
        entryOpensAt: from.entryOpensAt.getTime() + byMs,
        reservation: {
          opensAt: startsAt - 4 * HOUR_MS,
          closesAt: (from.reservationClosesAt?.getTime() ?? 0) + byMs,
        },
      });
    }
    expect(
      await db().auditEntry.findMany({
        where: { subjectId: saleId, action: 'sale.edit' },
        orderBy: { id: 'asc' },
      }),
    ).toMatchObject([{ before: { startsAt }, after: { startsAt: startsAt + HOUR_MS } }, {}]);
  });

  it('[L3] moves while the sale is paused, and twice in a row; a stale version moves nothing', async () => {
    const { sale, merchant } = await makeComing();
    const { saleId, startsAt, endsAt } = sale;
    await setSalePaused(merchant, saleId, true);
    expect(await stateOf(saleId)).toMatchObject({ status: 'scheduled', paused: true });
    const { version } = await rowOf(saleId);
    const moves = await Promise.all(
      [1, 2].map((byMs) => editSale(merchant, saleId, { startsAt: startsAt + byMs, version })),
    );
    expect(moves.map(({ status }) => status).sort()).toEqual(['changed', 'version_conflict']);
    await edit(merchant, saleId, { startsAt: startsAt + 10, endsAt: endsAt + 10 });
    await edit(merchant, saleId, { startsAt: startsAt - 10, endsAt: endsAt - 10 });
    await setSalePaused(merchant, saleId, false);
    expect(await stateOf(saleId)).toMatchObject({
      status: 'scheduled',
      paused: false,
      startsAt: startsAt - 10,
      endsAt: endsAt - 10,
    });
  });

  it('[L3] does not move into the past, nor beyond the end, nor once it has come', async () => {
    const { sale, merchant } = await makeComing();
    const { saleId, startsAt, endsAt } = sale;
    const fieldOf = async (changes: object) => {
      const result = await edit(merchant, saleId, changes);
      return result.status === 'invalid' ? result.error.issues[0]?.path : result.status;
    };
    expect(await fieldOf({ startsAt: Date.now() - 1 })).toEqual(['startsAt']);
    expect(await fieldOf({ startsAt: endsAt })).toEqual(['startsAt']);
    expect(await fieldOf({ startsAt: endsAt, endsAt })).toEqual(['startsAt']);
    expect(await fieldOf({ endsAt: startsAt })).toEqual(['endsAt']);
    expect(await fieldOf({ startsAt: endsAt, endsAt: endsAt - 1 })).toEqual(['endsAt']);
    expect(await fieldOf({ entryOpensAt: startsAt - 1 })).toBe('fixed');
    // The clock of the Redis that sells it decides, too.
    await stockRedis().hset(keys.sale(saleId), 'startsAt', Date.now() - 1_000);
    expect(await edit(merchant, saleId, { startsAt: startsAt + 1 })).toEqual({
      status: 'fixed',
      fields: [{ path: 'startsAt', reason: 'started' }],
    });
    expect((await rowOf(saleId)).startsAt.getTime()).toBe(startsAt);
  });

  it('[E3 M10] is the old one again in every slice if the commit fails', async () => {
    const { sale, merchant } = await makeComing({ slices: 4 });
    const { saleId, startsAt } = sale;
    await db().$executeRaw`
      CREATE FUNCTION refuse_start() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the server went away'; END $$`;
    await db().$executeRaw`
      CREATE CONSTRAINT TRIGGER refuse_start AFTER UPDATE ON sales DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (OLD.starts_at <> NEW.starts_at) EXECUTE FUNCTION refuse_start()`;
    try {
      const moving = edit(merchant, saleId, { startsAt: startsAt + 5 });
      await expect(moving).rejects.toThrow('the server went away');
    } finally {
      await db().$executeRaw`DROP TRIGGER refuse_start ON sales`;
    }
    const held = await Promise.all(stocksOf(saleId, 4).map((stockId) => readSettings(stockId)));
    expect(held.map((settings) => settings?.startsAt)).toEqual(Array(4).fill(startsAt));
  });
});
