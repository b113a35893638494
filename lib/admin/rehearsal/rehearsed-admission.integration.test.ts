import { afterAll, describe, expect, it } from 'vitest';
import { createSaleFixture } from '@/lib/checkout/testing/sale-fixture';
import type { RehearsalCheck } from '@/lib/contract/shapes/rehearsal';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { closeDb, db } from '@/lib/db/client';
import { openLine } from '@/lib/line/open-line';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/to-sale-info';
import type { Prisma } from '@/prisma/generated/client';
import { createRandom } from '@/tools/harness/random';
import { listRehearsals } from './list-rehearsals';
import { rehearse } from './rehearse';
import { requestRehearsal } from './request-rehearsal';
import { runNextRehearsal } from './run-next-rehearsal';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const inMs = (ms: number) => new Date(Date.now() + ms);

/** Makes a published sale that starts in an hour and lasts one. */
async function futureSale(options: Parameters<typeof createSaleFixture>[0], data: Prisma.SaleUpdateInput) {
  const { saleId } = await createSaleFixture({ users: 0, ...options });
  const row = await db().sale.update({
    where: { id: saleId },
    data: { startsAt: inMs(3_600_000), endsAt: inMs(7_200_000), ...data },
    include: SALE_PARTS,
  });
  await openLine(db(), saleId);
  return { saleId, info: toSaleInfo(row), actor: { userId: row.merchantId, role: 'merchant' as const } };
}

const run = (info: SaleInfo, name: string, shoppers: number) => {
  const random = createRandom(7);
  return rehearse(
    info,
    { rehearsalId: name, shoppers },
    () => {},
    () => random.next(),
  );
};
// Leaves out the check of speed, which depends on the machine.
const brokenOf = (checks: readonly RehearsalCheck[]) =>
  checks.filter(({ ok, id }) => !ok && id !== 'latency').map(({ id }) => id);
const leftovers = () => stockRedis().keys('*rehearsal_*');
const WAITING_ROOM = { admission: 'waiting_room' };
const DRAW = { admission: 'draw', waitlist: true };

describe('[M6] a rehearsal of a sale with a waiting room', () => {
  it('lets its crowd join, waits, lets it in as units allow, and says how it went', async () => {
    const { info } = await futureSale({ total: 60 }, WAITING_ROOM);
    const { line, ...report } = await run(info, 'line_one', 200);
    expect(brokenOf(report.checks)).toEqual([]);
    expect(report.checks.map(({ id }) => id)).toEqual(expect.arrayContaining(['line_unit', 'line_time']));
    expect(report.units).toMatchObject({ total: 60, sold: 60 });
    if (!line) throw new Error('no line');
    expect(line.joined).toBe(200);
    // Some had their turn and did not use it, so more were let in than there were units.
    expect(line.notBought).toBeGreaterThan(0);
    expect(line.admitted).toBe(60 + line.notBought);
    expect(line.foundNone).toBe(0);
    expect(line.waiting).toBe(200 - line.admitted);
    expect(line.admittedPerSecond).toBeGreaterThan(0);
    // Whoever came after an unused turn waited for its two minutes, which took the rehearsal no time.
    expect(line.longestWaitMs).toBeGreaterThan(120_000);
    expect(report.answers.accepted).toBe(60);
    expect(report.answers.sold_out).toBeUndefined();
    expect(report.answers.replayed).toBeGreaterThan(0);
    expect(await leftovers()).toEqual([]);
    expect(await db().lineEntry.count({ where: { saleId: info.saleId } })).toBe(0);
  });

  it('lets everybody in where units abound, also who joins after the start', async () => {
    const { info } = await futureSale({ total: 500 }, WAITING_ROOM);
    const { line, units, checks } = await run(info, 'line_two', 100);
    expect(brokenOf(checks)).toEqual([]);
    expect(line).toMatchObject({ joined: 100, admitted: 100, waiting: 0 });
    expect(units.sold).toBe(100 - (line?.notBought ?? 0));
  });

  it('says no go where the merchant’s rate lets in too few before the sale ends', async () => {
    const { saleId, info } = await futureSale(
      { total: 50 },
      { ...WAITING_ROOM, endsAt: inMs(3_600_000 + 300_000) },
    );
    await db().$executeRaw`UPDATE lines SET per_minute = 3 WHERE sale_id = ${saleId}`;
    const { line, isGo, checks } = await run(info, 'line_three', 100);
    expect(brokenOf(checks)).toEqual(['line_time']);
    expect(isGo).toBe(false);
    expect(line?.admitted).toBeLessThanOrEqual(18);
    expect(line?.waiting).toBe(100 - (line?.admitted ?? 0));
  });
});

describe('[M6] a rehearsal of a draw', () => {
  it('draws its crowd, gives units to the first, on to the next what is not paid, and says how it went', async () => {
    const { info } = await futureSale({ total: 40, waitlist: true }, DRAW);
    const { draw, ...report } = await run(info, 'draw_one', 150);
    expect(brokenOf(report.checks)).toEqual([]);
    expect(report.checks.map(({ id }) => id)).toContain('draw_first');
    expect(draw).toMatchObject({ entrants: 150, drawn: 40, bought: 40 });
    expect(draw?.givenOn).toBe(report.units.released);
    expect(draw?.givenOn).toBeGreaterThan(0);
    expect(report).toMatchObject({ isGo: true, presses: 0 });
    expect(await leftovers()).toEqual([]);
  });

  it('gives everybody one where there are more units than people, by every rule of weights', async () => {
    for (const drawWeights of ['equal', 'level', 'bought_before']) {
      const { info } = await futureSale({ total: 50, waitlist: true }, { ...DRAW, drawWeights });
      const { draw, checks } = await run(info, `draw_${drawWeights}`, 30);
      expect(brokenOf(checks)).toEqual([]);
      expect(draw).toMatchObject({ entrants: 30, drawn: 30, givenOn: 0 });
    }
  });

  it('is asked for, run by a worker and kept with its figures', async () => {
    const { saleId, actor } = await futureSale({ total: 5, waitlist: true }, DRAW);
    expect((await requestRehearsal(actor, saleId, 20)).status).toBe('requested');
    expect(await runNextRehearsal()).toBe(true);
    const list = await listRehearsals(actor, saleId, { limit: 20 });
    expect(list?.rehearsals).toMatchObject([{ state: 'done', report: { draw: { entrants: 20, drawn: 5 } } }]);
  });
});
