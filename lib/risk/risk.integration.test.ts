import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { liftAdminBlock } from '@/lib/block/admin/lift-admin-block';
import { findBlock } from '@/lib/block/find-block';
import { stopWatchingBlocks, watchBlocks } from '@/lib/block/watch-blocks';
import { newRule, type RuleDefinition } from '@/lib/contract/shapes/risk';
import type { RuleState } from '@/lib/contract/words/risk';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { createLoadUsers, loadUserId } from '@/lib/load-test/create-load-users';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { buy, createSaleFixture, makeOverdue, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { releaseRiskHit } from '@/lib/risk/admin/release-risk-hit';
import { createOrders } from '@/lib/settlement/create-orders';
import { countUnpaid } from './count-unpaid';
import { createRule } from './create-rule';
import { dryRun } from './dry-run';
import { evaluateNow, startRisk, stopRisk } from './evaluate-risk';
import { listHits } from './list-hits';
import { noteOrigin, noteRisk } from './noted';
import type { RiskSubjects } from './types';
import { knownRisk, refreshRisk, watchRisk } from './watch-risk';

const admin = { userId: 'user_admin', role: 'admin' } as const;

beforeEach(async () => {
  await db().riskHit.deleteMany();
  await db().riskRule.deleteMany({ where: { changedBy: { not: 'seckill' } } });
  await db().block.deleteMany();
  await watchBlocks();
  await startRisk();
  await refreshRisk();
});
afterAll(async () => {
  await stopRisk();
  stopWatchingBlocks();
  await Promise.all([closeRedis(), closeDb()]);
});

const somebody = (): RiskSubjects => ({
  user: newId('user'),
  ip: `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`,
  device: newId('device'),
});
const hitsOf = async (value: string) => (await listHits({ limit: 100 }, { value }))?.hits ?? [];

async function addRule(more: Partial<RuleDefinition>, state: RuleState = 'enabled') {
  const definition = {
    metric: 'purchase_requests',
    subject: 'user',
    windowSec: 60,
    comparison: 'above',
    threshold: 10,
    action: { kind: 'flag' },
    ...more,
  };
  const rule = await createRule(newRule.parse({ name: 'Test', definition, state }), 'user_admin');
  if (!rule) throw new Error('no room');
  await refreshRisk();
  return rule;
}

/** Buys and lets the time to pay run out, `count` times; as if from one device. */
async function hoard(sale: SaleFixture, userId: string, count: number, device = '') {
  for (let n = 0; n < count; n += 1) {
    const order = await buy(sale, userId);
    noteOrigin(order.orderNo, { user: userId, ip: '', device });
    await evaluateNow();
    await createOrders({ saleId: sale.saleId, orders: [order] });
    await makeOverdue([order.orderNo]);
    await releaseUnpaid([order.orderNo]);
  }
}

describe('many accounts on one device', () => {
  it('[G10] five are borne, with the sixth the device is blocked for an hour, and nobody else', async () => {
    const { ip, device } = somebody();
    const users = Array.from({ length: 6 }, () => newId('user'));
    const enter = async (user: string) => {
      noteRisk('accounts', { user, ip, device }, 'sale_test', user);
      await evaluateNow();
    };
    for (const user of [...users.slice(0, 5), ...users.slice(0, 5)]) await enter(user);
    expect(findBlock({ device })).toBeNull();
    await enter(users[5] ?? '');
    const block = findBlock({ device });
    expect(block?.kind).toBe('device');
    expect((block?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
    expect((block?.expiresAt ?? 0) - Date.now()).toBeLessThanOrEqual(3_600_000);
    for (const userId of users) expect(findBlock({ userId, address: () => ip })).toBeNull();
  });

  it.each(['by its hit', 'on the blocklist'])(
    '[G8 G10] a block that staff take back %s stays away while the same accounts come again',
    async (way) => {
      const { ip, device } = somebody();
      const users = Array.from({ length: 6 }, () => newId('user'));
      const enter = async () => {
        for (const user of users) noteRisk('accounts', { user, ip, device }, 'sale_test', user);
        await evaluateNow();
        return findBlock({ device });
      };
      expect(await enter()).not.toBeNull();
      if (way === 'by its hit') await releaseRiskHit(admin, (await hitsOf(device))[0]?.hitId ?? '');
      else {
        const { id } = await db().block.findFirstOrThrow({ where: { value: device } });
        await liftAdminBlock(admin, String(id));
      }
      expect(findBlock({ device })).toBeNull();
      expect(await enter()).toBeNull();
      const [dayBefore, releasedBy] = [new Date(Date.now() - 86_400_000), admin.userId];
      await db().riskHit.updateMany({ data: { releasedAt: dayBefore, releasedBy } });
      await db().block.updateMany({ data: { liftedAt: dayBefore } });
      expect(await enter()).not.toBeNull();
    },
  );
});

describe('hoarding', () => {
  it('[G10] five unpaid orders in an hour are borne, with the sixth the account is blocked for an hour', async () => {
    const sale = await createSaleFixture({ total: 20, limit: 10, users: 2 });
    const [hoarder = '', other = ''] = sale.userIds;
    await hoard(sale, hoarder, 5);
    await hoard(sale, other, 1);
    await countUnpaid();
    await countUnpaid();
    expect(findBlock({ userId: hoarder })).toBeNull();

    await hoard(sale, hoarder, 1);
    await countUnpaid();
    const block = findBlock({ userId: hoarder });
    expect(block?.kind).toBe('user');
    expect((block?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
    expect((block?.expiresAt ?? 0) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(findBlock({ userId: other })).toBeNull();
    expect(await hitsOf(hoarder)).toMatchObject([
      {
        ruleId: 'unpaid-by-account',
        ruleVersion: 1,
        kind: 'user',
        isDryRun: false,
        counters: { count: 6, threshold: 5, windowSec: 3_600 },
        saleId: sale.saleId,
        action: { kind: 'block', forSec: 3_600 },
      },
    ]);
    // Counting again, here or in another process, makes no new hit, and the block no longer.
    await Promise.all([countUnpaid(), countUnpaid()]);
    expect(await hitsOf(hoarder)).toHaveLength(1);
    expect(findBlock({ userId: hoarder })?.expiresAt).toBe(block?.expiresAt);
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
    expect(findBlock({ userId: hoarder })).toBeNull();
    vi.useRealTimers();
  });

  it('[G8 G10] a block that staff lift stays lifted, until another order ends unpaid', async () => {
    const sale = await createSaleFixture({ total: 20, limit: 10, users: 1 });
    const [hoarder = ''] = sale.userIds;
    await hoard(sale, hoarder, 6);
    await countUnpaid();
    const [hit] = await hitsOf(hoarder);
    await releaseRiskHit(admin, hit?.hitId ?? '');
    await countUnpaid();
    expect(findBlock({ userId: hoarder })).toBeNull();
    await hoard(sale, hoarder, 1);
    await countUnpaid();
    expect(findBlock({ userId: hoarder })).not.toBeNull();
  });

  it('[G10] load-test users are left alone, or a second load test would be blocked', async () => {
    await createLoadUsers(1);
    const sale = await createSaleFixture({ total: 20, limit: 10 });
    await hoard(sale, loadUserId(1), 6);
    await countUnpaid();
    expect(findBlock({ userId: loadUserId(1) })).toBeNull();
  });

  it('[G10] of one device, the fourth unpaid order blocks it, whatever the accounts', async () => {
    const sale = await createSaleFixture({ total: 20, users: 4 });
    const device = newId('device');
    for (const userId of sale.userIds.slice(0, 3)) await hoard(sale, userId, 1, device);
    await countUnpaid();
    expect(findBlock({ device })).toBeNull();
    await hoard(sale, sale.userIds[3] ?? '', 1, device);
    await countUnpaid();
    expect(findBlock({ device })?.kind).toBe('device');
    for (const userId of sale.userIds) expect(findBlock({ userId })).toBeNull();
  });

  it('[G12] what Redis has lost is counted anew from the database', async () => {
    const sale = await createSaleFixture({ total: 20, limit: 10, users: 1 });
    const [hoarder = ''] = sale.userIds;
    await hoard(sale, hoarder, 5);
    await countUnpaid();
    await cacheRedis().flushdb();
    // The stock was removed too: the sixth order ends in Postgres alone.
    await db().$executeRaw`
      INSERT INTO orders (shard, id, sale_id, user_id, quantity, unit_price_minor, amount_minor, currency, status, is_only_one,
                          jti, epoch, accepted_at, pay_by, cancelled_at, end_reason)
      SELECT shard, id + 1024, sale_id, user_id, quantity, unit_price_minor, amount_minor, currency, 'cancelled', is_only_one,
             jti || 'x', epoch, accepted_at, pay_by, now(), 'expired'
      FROM orders WHERE user_id = ${hoarder} ORDER BY id DESC LIMIT 1`;
    await countUnpaid();
    expect(findBlock({ userId: hoarder })).not.toBeNull();
  });
});

describe('many requests', () => {
  it('[G10] more than 100 a minute from one address: limited, and blocked if that does not help', async () => {
    const { ip, device } = somebody();
    const ask = (metric: 'purchase_requests' | 'limited_requests', times: number) => {
      for (let n = 0; n < times; n += 1) noteRisk(metric, { user: newId('user'), ip, device }, 'sale_1');
      return evaluateNow();
    };
    const perMinute = () => knownRisk().measures.find({ user: '', ip, device: '' }, Date.now()).perMinute;
    await ask('purchase_requests', 100);
    expect(perMinute()).toBeNull();
    await ask('purchase_requests', 1);
    expect(perMinute()).toBe(6);
    await ask('limited_requests', 300);
    expect(findBlock({ address: () => ip })).toBeNull();
    await ask('limited_requests', 1);
    expect(findBlock({ address: () => ip })?.kind).toBe('ip');
    expect(await hitsOf(ip)).toMatchObject([
      { ruleId: 'hammering-by-address' },
      { ruleId: 'requests-by-address', action: { kind: 'limit', perMinute: 6 } },
    ]);
  });

  it('[G11] a dry run records whom it would have hit and does nothing to them; a look back names them too', async () => {
    const rule = await addRule({ action: { kind: 'block', forSec: 60 } }, 'dry_run');
    const { user, ip, device } = somebody();
    for (let n = 0; n < 11; n += 1) noteRisk('purchase_requests', { user, ip, device }, 'sale_1');
    await evaluateNow();
    expect(await hitsOf(user)).toMatchObject([{ ruleId: rule.ruleId, isDryRun: true, saleId: 'sale_1' }]);
    expect(findBlock({ userId: user })).toBeNull();

    const back = await dryRun({ ...rule.definition, threshold: 8 });
    expect(back.isCounted).toBe(true);
    expect(back.top).toContainEqual(expect.objectContaining({ value: user, count: 11 }));
    expect((await dryRun({ ...rule.definition, threshold: 11 })).top.map(({ value }) => value)).not.toContain(
      user,
    );
    expect(await dryRun({ ...rule.definition, windowSec: 61 })).toEqual({
      isCounted: false,
      subjects: 0,
      top: [],
    });
  });

  it('[G11] what is noted while an evaluation is under way is in the next one, which ends with it', async () => {
    await addRule({ action: { kind: 'block', forSec: 60 } });
    const [early, late] = [somebody(), somebody()];
    noteRisk('purchase_requests', early, 'sale_1');
    const underWay = evaluateNow();
    for (let n = 0; n < 11; n += 1) noteRisk('purchase_requests', late, 'sale_1');
    await evaluateNow();
    expect(await hitsOf(late.user)).toHaveLength(1);
    await underWay;
  });

  it('[G11] a rule made while the rules are being read is known after the next refresh', async () => {
    for (let n = 0; n < 20; n += 1) {
      const underWay = refreshRisk();
      const { ruleId } = await addRule({ threshold: 1_000 + n });
      expect(knownRisk().rules.map((rule) => rule.ruleId)).toContain(ruleId);
      await underWay;
    }
  });

  it('[G13] while Redis is away nothing is lost: what was noted is evaluated afterwards', async () => {
    await addRule({ action: { kind: 'block', forSec: 60 } });
    const { user, ip, device } = somebody();
    const evalsha = vi.spyOn(cacheRedis(), 'evalsha').mockRejectedValue(new Error('Connection is closed.'));
    for (let n = 0; n < 6; n += 1) noteRisk('purchase_requests', { user, ip, device }, 'sale_1');
    await evaluateNow();
    for (let n = 0; n < 6; n += 1) noteRisk('purchase_requests', { user, ip, device }, 'sale_1');
    await evaluateNow();
    expect(await hitsOf(user)).toEqual([]);
    evalsha.mockRestore();
    await evaluateNow();
    expect(await hitsOf(user)).toMatchObject([{ counters: { count: 12 } }]);
    expect(findBlock({ userId: user })).not.toBeNull();
  });

  it('[G8 G11] releasing a hit ends what it led to, and nothing else', async () => {
    await addRule({ action: { kind: 'block', forSec: 60 } });
    await addRule({ action: { kind: 'challenge', forSec: 60 } });
    const { user, ip, device } = somebody();
    const isChallenged = () => knownRisk().measures.find({ user, ip, device }, Date.now()).isChallenged;
    for (let n = 0; n < 11; n += 1) noteRisk('purchase_requests', { user, ip, device }, 'sale_1');
    await evaluateNow();
    expect([findBlock({ userId: user }) !== null, isChallenged()]).toEqual([true, true]);
    const hits = await hitsOf(user);
    const blocking = hits.find(({ action }) => action.kind === 'block');
    expect(await releaseRiskHit(admin, blocking?.hitId ?? '')).toMatchObject({ releasedBy: 'user_admin' });
    expect([findBlock({ userId: user }) !== null, isChallenged()]).toEqual([false, true]);
    for (const { hitId } of hits) await releaseRiskHit(admin, hitId);
    expect([findBlock({ userId: user }) !== null, isChallenged()]).toEqual([false, false]);
    expect(await releaseRiskHit(admin, '999999999')).toBeNull();
    expect(await releaseRiskHit(admin, 'x; DROP')).toBeNull();
  });

  it('[G11] what no rule counts is not asked of Redis', async () => {
    await watchRisk();
    const { user, ip, device } = somebody();
    noteRisk('purchase_refusals', { user, ip, device }, 'sale_1');
    const before = Number(
      /cmdstat_evalsha:calls=(\d+)/.exec(await cacheRedis().info('commandstats'))?.[1] ?? 0,
    );
    await evaluateNow();
    const after = Number(
      /cmdstat_evalsha:calls=(\d+)/.exec(await cacheRedis().info('commandstats'))?.[1] ?? 0,
    );
    expect(after).toBe(before);
  });
});
