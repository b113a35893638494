import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { stopWatchingBlocks, watchBlocks } from '@/lib/block/watch-blocks';
import { newRule, type RuleDefinition } from '@/lib/contract/shapes/risk';
import type { RuleState } from '@/lib/contract/words/risk';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { bestOf } from '@/test/support/best-of';
import { eventually } from '@/test/support/eventually';
import { createRule } from './create-rule';
import { editRule } from './edit-rule';
import { startRisk, stopRisk } from './evaluate-risk';
import { knownRisk, refreshRisk } from './watch-risk';

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

describe('many requests', () => {
  it('[G11] a rule is in force within a second of being made or changed, without being told', async () => {
    const seen = async (what: () => boolean) => {
      const from = performance.now();
      await eventually(() => expect(what()).toBe(true), 5);
      return performance.now() - from;
    };
    const change = async () => {
      const definition = { ...(await addRule({})).definition, threshold: 77 };
      const [rule] = (await db().riskRule.findMany({ orderBy: { createdAt: 'desc' }, take: 1 })) ?? [];
      await editRule(rule?.id ?? '', { version: 1, definition }, 'user_admin');
      return seen(() =>
        knownRisk().rules.some(({ ruleId, version }) => ruleId === rule?.id && version === 2),
      );
    };
    expect(await bestOf(1_000, change)).toBeLessThan(1_000);
  });
});
