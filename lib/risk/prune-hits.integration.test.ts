import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { pruneHits } from './prune-hits';

process.env.KEEP_RISK_HITS_DAYS = '20';

const DAY_MS = 86_400_000;

afterAll(closeDb);

it('[E9] deletes old hits whose measures have ended, and no others', async () => {
  const at = (days: number) => new Date(Date.now() + days * DAY_MS);
  await db().riskRule.create({
    data: { id: 'rule_old', name: 'Old', definition: {}, state: 'disabled', changedBy: 'test' },
  });
  const hits = [
    { value: 'old', createdAt: at(-21), expiresAt: null },
    { value: 'old and over', createdAt: at(-21), expiresAt: at(-20) },
    { value: 'old and in force', createdAt: at(-21), expiresAt: at(1) },
    { value: 'young', createdAt: at(-19), expiresAt: at(-18) },
  ];
  const same = { ruleId: 'rule_old', ruleVersion: 1, kind: 'user', period: 1, counters: {}, action: {} };
  await db().riskHit.createMany({ data: hits.map((hit) => ({ ...same, ...hit, dryRun: false })) });
  expect(await pruneHits()).toBe(2);
  const left = await db().riskHit.findMany({ where: { ruleId: 'rule_old' }, orderBy: { id: 'asc' } });
  expect(left.map(({ value }) => value)).toEqual(['old and in force', 'young']);
  expect(await pruneHits()).toBe(0);
});
