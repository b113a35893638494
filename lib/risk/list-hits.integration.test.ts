import { afterAll, expect, it } from 'vitest';
import type { HitFilter } from '@/lib/contract/shapes/risk';
import { RISK_SUBJECTS } from '@/lib/contract/words/risk';
import { closeDb, db } from '@/lib/db/client';
import { makeUser } from '@/test/support/make-sale';
import { createRule } from './create-rule';
import { listHits } from './list-hits';

afterAll(closeDb);

it('[G12] hits are found by rule, subject, sale and whether they are in force; pages neither repeat nor lose one', async () => {
  const action = { kind: 'block', forSec: 60 } as const;
  const rule = await createRule(
    {
      name: 'x',
      state: 'enabled',
      priority: 1,
      definition: {
        metric: 'purchase_requests',
        subject: 'ip',
        windowSec: 60,
        comparison: 'above',
        threshold: 1,
        action,
      },
    },
    'user_1',
  );
  const ruleId = rule?.ruleId ?? '';
  await db().riskHit.createMany({
    data: RISK_SUBJECTS.flatMap((kind, nth) =>
      [0, 1].map((period) => ({
        ruleId,
        ruleVersion: 1,
        kind,
        value: `v${nth}`,
        period,
        counters: {},
        action,
        dryRun: false,
        saleId: `sale_${nth}`,
        expiresAt: new Date(Date.now() + (period === 0 ? -1_000 : 60_000)),
      })),
    ),
  });
  const find = async (filter: HitFilter) =>
    (await listHits({ limit: 100 }, { ruleId, ...filter }))?.hits.map(
      ({ kind, value }) => `${kind} ${value}`,
    );
  expect(await find({ kind: 'device' })).toEqual(['device v2', 'device v2']);
  expect(await find({ kind: 'ip', value: 'v0' })).toEqual([]);
  expect(await find({ saleId: 'sale_1', state: 'live' })).toEqual(['ip v1']);
  expect(await find({ ruleId: 'nowhere' })).toEqual([]);
  const all = await find({});
  expect(all).toHaveLength(6);
  const paged: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listHits({ cursor, limit: 4 }, { ruleId });
    paged.push(...(page?.hits.map(({ kind, value }) => `${kind} ${value}`) ?? []));
    if (!page?.nextCursor) break;
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(all);

  // Only for an account is the e-mail address shown; other kinds with the same value have none.
  const { userId } = await makeUser('shopper');
  const { email } = await db().user.findUniqueOrThrow({ where: { id: userId } });
  const hit = { ruleId, ruleVersion: 1, period: 2, counters: {}, action, dryRun: false };
  await db().riskHit.createMany({
    data: (['user', 'device'] as const).map((kind) => ({ ...hit, kind, value: userId })),
  });
  const told = await listHits({ limit: 100 }, { ruleId });
  expect(told?.hits.find(({ kind, value }) => kind === 'user' && value === userId)?.email).toBe(email);
  expect(told?.hits.find(({ kind, value }) => kind === 'device' && value === userId)?.email).toBeNull();
  expect(told?.hits.find(({ value }) => value === 'v0')?.email).toBeNull();
});
