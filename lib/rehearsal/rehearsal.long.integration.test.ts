import { afterAll, describe, expect, it } from 'vitest';
import type { RehearsalCheck } from '@/lib/contract/shapes/rehearsal';
import { closeDb, db } from '@/lib/db/client';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { purchaseStock } from '@/lib/stock/purchase-stock';
import { readStock } from '@/lib/stock/read-stock';
import { SEED } from '@/test/support/random';
import { createRandom } from '@/tools/harness/random';
import { listRehearsals } from './list-rehearsals';
import { rehearse } from './rehearse';
import { requestRehearsal } from './request-rehearsal';
import { runNextRehearsal } from './run-next-rehearsal';
import { keepShadow, openShadow } from './shadow-sale';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Makes a published sale that starts in an hour. */
async function futureSale(options: Parameters<typeof createSaleFixture>[0] = {}) {
  const { saleId } = await createSaleFixture({ users: 0, ...options });
  const inMs = (ms: number) => new Date(Date.now() + ms);
  const row = await db().sale.update({
    where: { id: saleId },
    data: { startsAt: inMs(3_600_000), endsAt: inMs(7_200_000) },
    include: SALE_PARTS,
  });
  return { saleId, info: toSaleInfo(row), actor: { userId: row.merchantId, role: 'merchant' as const } };
}

// Leaves out the checks of speed, which depend on the machine.
const brokenOf = (checks: readonly RehearsalCheck[]) =>
  checks.filter(({ ok, id }) => !ok && id !== 'latency').map(({ id }) => id);
const leftovers = () => stockRedis().keys('*rehearsal_*');
const PAGE = { limit: 20 };
/** The same crowd each time: one without any script, say, would be rare, but would come. */
function chance(): () => number {
  const random = createRandom(SEED);
  return () => random.next();
}

describe('a rehearsal', () => {
  it('[C1 J5 M6] sells the shadow by the real rules and leaves neither the sale nor Redis changed', async () => {
    const { saleId, info } = await futureSale({ total: 100 });
    const before = await readStock(saleId);
    const shares: number[] = [];
    const report = await rehearse(
      info,
      { rehearsalId: 'one', shoppers: 300 },
      (share) => shares.push(share),
      chance(),
    );
    expect(brokenOf(report.checks)).toEqual([]);
    expect(report.units.sold).toBe(100);
    expect(report.units.released).toBeGreaterThan(0);
    expect(report.soldOutAfterMs).toBeGreaterThan(0);
    const { accepted, sold_out, replayed, not_started, gate_invalid } = report.answers;
    expect(accepted).toBe(100);
    for (const count of [sold_out, replayed, not_started, gate_invalid]) expect(count).toBeGreaterThan(0);
    expect(Object.values(report.answers).reduce((sum, count) => sum + count)).toBe(report.presses);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(await leftovers()).toEqual([]);
    expect({ ...(await readStock(saleId)), serverTime: 0 }).toEqual({ ...before, serverTime: 0 });
    expect(await db().order.count({ where: { saleId } })).toBe(0);
  });

  it('[O3] has each shopper want one of the variants, and sells none beyond its own stock', async () => {
    const { info } = await futureSale({ variants: [5, 20, 1_000], limit: 3 });
    const report = await rehearse(info, { rehearsalId: 'variants', shoppers: 300 }, () => {}, chance());
    expect(brokenOf(report.checks)).toEqual([]);
    // A third of the crowd comes for each: two sell out, the last does not.
    expect(report.answers.sold_out).toBeGreaterThan(100);
    expect(report.units.sold).toBeGreaterThan(25 + 80);
    expect(report.soldOutAfterMs).toBeNull();
    expect(await leftovers()).toEqual([]);
  });

  it('[G1–G3 H2] applies the sale’s limits and reservation, and says whose way they stand in', async () => {
    const { info } = await futureSale({ total: 500 });
    const policy = { algorithm: 'sliding-window', limit: 5, windowSec: 60 } as const;
    const window = { opensAt: Date.now() - 1_000, closesAt: Date.now() };
    const report = await rehearse(
      { ...info, limits: { ip: policy }, reservation: window },
      { rehearsalId: 'two', shoppers: 200 },
      () => {},
      chance(),
    );
    // Every tenth shopper is behind one address.
    expect(brokenOf(report.checks)).toEqual(['honest_refused']);
    expect(report.isGo).toBe(false);
    expect(report.limited.ip).toBeGreaterThan(0);
    expect(report.answers.not_reserved).toBeGreaterThan(0);
    expect(await leftovers()).toEqual([]);
  });

  it('[J5] is asked for once at a time, run by one of several workers, and kept with its report', async () => {
    const { saleId, actor } = await futureSale();
    const first = await requestRehearsal(actor, saleId, 50);
    const again = await requestRehearsal(actor, saleId, 80);
    expect([first.status, again.status]).toEqual(['requested', 'already_requested']);
    const ran = await Promise.all([runNextRehearsal(), runNextRehearsal(), runNextRehearsal()]);
    expect(ran.filter(Boolean)).toHaveLength(1);
    const list = await listRehearsals(actor, saleId, PAGE);
    expect(list?.rehearsals).toMatchObject([
      { state: 'done', shoppers: 50, progress: 100, report: { shoppers: 50 } },
    ]);
    expect((await requestRehearsal(actor, saleId, 10)).status).toBe('requested');
    const entries = await db().auditEntry.findMany({ where: { subjectId: saleId } });
    expect(entries.map(({ action }) => action)).toEqual(['sale.rehearse', 'sale.rehearse']);
    await runNextRehearsal();
  });

  it('[J5] whose worker died is begun anew by another; one that fails says so', async () => {
    const { saleId, actor } = await futureSale();
    await requestRehearsal(actor, saleId, 10);
    const stand = (secondsAgo: number) =>
      db()
        .$executeRaw`UPDATE rehearsals SET state = 'running', seen_at = now() - make_interval(secs => ${secondsAgo})
                       WHERE sale_id = ${saleId} AND state <> 'done'`;
    await stand(5);
    expect(await runNextRehearsal()).toBe(false);
    await stand(60);
    expect(await runNextRehearsal()).toBe(true);
    await requestRehearsal(actor, saleId, 10);
    await db().$executeRaw`UPDATE sales SET limits = '{"user": {"algorithm": "?"}}' WHERE id = ${saleId}`;
    expect(await runNextRehearsal()).toBe(true);
    const states = (await listRehearsals(actor, saleId, PAGE))?.rehearsals.map(({ state }) => state);
    expect(states).toEqual(['failed', 'done']);
  });

  it('[J5] whose worker died leaves nothing in Redis: not for long, and not once it was begun anew', async () => {
    const { saleId, info, actor } = await futureSale();
    const asked = await requestRehearsal(actor, saleId, 10);
    if (asked.status !== 'requested') throw new Error(asked.status);
    const { rehearsalId } = asked.rehearsal;
    const shadow = await openShadow(info, rehearsalId, -1, ['user_a']);
    const press = { userId: 'user_a', jti: 'jti_a', orderNo: '1024', quantity: 1, gate: shadow.gate };
    const { status } = await purchaseStock({ ...press, saleId: shadow.saleId, epoch: shadow.epoch });
    expect(status).toBe('accepted');
    await keepShadow(shadow.saleId);
    const left = await leftovers();
    expect(left.length).toBeGreaterThanOrEqual(3);
    for (const key of left) expect(await stockRedis().ttl(key), key).toBeGreaterThan(0);
    await db().$executeRaw`
      UPDATE rehearsals SET state = 'running', seen_at = now() - interval '1 minute' WHERE id = ${rehearsalId}`;
    expect(await runNextRehearsal()).toBe(true);
    const [done] = (await listRehearsals(actor, saleId, PAGE))?.rehearsals ?? [];
    expect([done?.rehearsalId, done?.state]).toEqual([rehearsalId, 'done']);
    expect(brokenOf(done?.report?.checks ?? [])).toEqual([]);
    expect(await leftovers()).toEqual([]);
  });

  it('[J5] has all it leaves in Redis go by itself while its crowd is at it', async () => {
    const { info } = await futureSale({ total: 50 });
    let keep = 0;
    const look = setInterval(async () => {
      const lives = await Promise.all((await leftovers()).map((key) => stockRedis().ttl(key)));
      // Sale, buyers and outbox exist, and each has an expiry.
      if (lives.length >= 3 && lives.every((sec) => sec > 0)) keep += 1;
    }, 20);
    try {
      await rehearse(info, { rehearsalId: 'three', shoppers: 100 }, () => {});
    } finally {
      clearInterval(look);
    }
    expect(keep).toBeGreaterThan(0);
  });

  it('[J5] is given up if every worker that takes it dies', async () => {
    const { saleId, actor } = await futureSale();
    await requestRehearsal(actor, saleId, 10);
    await db().$executeRaw`
      UPDATE rehearsals SET state = 'running', seen_at = now() - interval '1 minute', created_at = now() - interval '11 minutes'
      WHERE sale_id = ${saleId}`;
    expect(await runNextRehearsal()).toBe(false);
    const states = (await listRehearsals(actor, saleId, PAGE))?.rehearsals.map(({ state }) => state);
    expect(states).toEqual(['failed']);
  });

  it('[L4] is refused for a sale that has started, is closed, is decided elsewhere, or is somebody else’s', async () => {
    const { saleId, actor } = await futureSale();
    const asked = async (who: Parameters<typeof requestRehearsal>[0] = actor) =>
      (await requestRehearsal(who, saleId, 10)).status;
    expect(await asked({ userId: 'user_other', role: 'merchant' })).toBe('not_found');
    expect(await asked({ userId: 'user_support', role: 'support' })).toBe('not_found');
    expect(await listRehearsals({ userId: 'user_other', role: 'merchant' }, saleId, PAGE)).toBeNull();
    await db().$executeRaw`UPDATE sales SET starts_at = now() - interval '1 minute' WHERE id = ${saleId}`;
    expect(await asked()).toBe('wrong_state');
    await db()
      .$executeRaw`UPDATE sales SET status = 'draft', published_at = NULL, strategy = 'database' WHERE id = ${saleId}`;
    expect(await asked()).toBe('unsupported');
    await db().$executeRaw`UPDATE sales SET strategy = 'script' WHERE id = ${saleId}`;
    expect(await asked()).toBe('requested');
  });
});
