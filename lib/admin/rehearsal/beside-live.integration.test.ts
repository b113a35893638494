import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { listRehearsals } from './list-rehearsals';
import { requestRehearsal } from './request-rehearsal';
import { runNextRehearsal } from './run-next-rehearsal';

beforeAll(() => {
  process.env.REHEARSE_BESIDE_LIVE = '0';
});
afterAll(async () => {
  await closeRedis();
  await closeDb();
});

const MINUTE_MS = 60_000;
const inMs = (ms: number) => new Date(Date.now() + ms);
/** Makes a published sale that starts in so many minutes and lasts an hour. */
async function saleIn(minutes: number, more: object = {}) {
  const { saleId } = await createSaleFixture({ users: 0 });
  const startsAt = inMs(minutes * MINUTE_MS);
  const endsAt = new Date(startsAt.getTime() + 60 * MINUTE_MS);
  const row = await db().sale.update({
    where: { id: saleId },
    data: { startsAt, endsAt, entryOpensAt: startsAt, ...more },
  });
  return { saleId, actor: { userId: row.merchantId, role: 'merchant' as const } };
}
const goLive = (saleId: string) =>
  db().sale.update({ where: { id: saleId }, data: { startsAt: inMs(-1_000), entryOpensAt: inMs(-1_000) } });
const leftovers = () => stockRedis().keys('*rehearsal_*');

let sale: Awaited<ReturnType<typeof saleIn>>;
const ask = async (shoppers = 10) => (await requestRehearsal(sale.actor, sale.saleId, shoppers)).status;
const latest = async () =>
  (await listRehearsals(sale.actor, sale.saleId, { limit: 1 }))?.rehearsals[0] as {
    state: string;
    reason: string | null;
    progress: number;
  };
beforeEach(async () => {
  await db().$executeRaw`UPDATE sales SET status = 'closed', closed_at = now()`;
  await db()
    .$executeRaw`UPDATE rehearsals SET state = 'failed', ended_at = now() WHERE state IN ('queued', 'running')`;
  sale = await saleIn(120);
});

describe('[M6] a rehearsal and live sales on its stock Redis', () => {
  it.each([
    ['live', () => saleIn(-10)],
    ['about to start', () => saleIn(4)],
    [
      'a draw that people enter',
      () => saleIn(60, { admission: 'draw', waitlist: true, entryOpensAt: inMs(-1_000) }),
    ],
  ])('is refused while another sale is %s', async (_, make) => {
    const other = await make();
    expect(await ask()).toBe('beside_live');
    expect(await db().rehearsal.count({ where: { saleId: sale.saleId } })).toBe(0);
    await db().$executeRaw`UPDATE sales SET status = 'closed', closed_at = now() WHERE id = ${other.saleId}`;
    expect(await ask()).toBe('requested');
  });

  it('is taken while others start much later, are over, or have their stock in Postgres', async () => {
    await saleIn(10);
    await saleIn(-90);
    await saleIn(-10, { strategy: 'database' });
    expect(await ask()).toBe('requested');
    expect(await runNextRehearsal()).toBe(true);
    expect(await latest()).toMatchObject({ state: 'done', reason: null });
  });

  it('is not begun once a sale has gone live while it waited', async () => {
    const other = await saleIn(60);
    expect(await ask()).toBe('requested');
    await goLive(other.saleId);
    expect(await runNextRehearsal()).toBe(true);
    expect(await latest()).toMatchObject({ state: 'failed', reason: 'beside_live' });
    expect(await leftovers()).toEqual([]);
  });

  it.each(['another sale goes', 'its own sale goes'])('is stopped when %s live meanwhile', async (who) => {
    const other = await saleIn(60);
    expect(await ask(2_000)).toBe('requested');
    const running = runNextRehearsal();
    await expect.poll(async () => (await leftovers()).length, { timeout: 60_000 }).toBeGreaterThan(0);
    await goLive(who.startsWith('another') ? other.saleId : sale.saleId);
    expect(await running).toBe(true);
    expect(await latest()).toMatchObject({ state: 'failed', reason: 'beside_live' });
    expect(await leftovers()).toEqual([]);
  });
});
