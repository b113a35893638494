import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ALERT_RULE_IDS } from '@/lib/contract/words/alert';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { BUSINESS_CASES } from './testing/business-rule-cases';
import { PROCESS_CASES } from './testing/process-rule-cases';
import { nextRound, statesOf } from './testing/rounds';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});
beforeEach(() => db().alert.deleteMany());

const CASES = [...BUSINESS_CASES, ...PROCESS_CASES];

/** Rules about servers, tried where one can be killed: lib/servers/servers.integration.test.ts. */
const OF_SERVERS = [
  'redis_node_down',
  'redis_slots_lost',
  'redis_failover',
  'redis_replica_lag',
  'database_replica_down',
  'database_replica_lag',
];

describe('the alert rules', () => {
  it.each(CASES)('[J1 D6] $rule is silent below its threshold and fires above it', async (one) => {
    const { rule, below, above, end } = one;
    const subject = await below();
    await nextRound();
    expect(await statesOf(rule, subject)).toEqual([]);
    try {
      await above(subject);
      // Pending first if the rule needs the state to last; half a minute later it fires.
      await nextRound();
      expect(await statesOf(rule, subject)).toHaveLength(1);
      await nextRound(31);
      expect(await statesOf(rule, subject)).toEqual(['firing']);
    } finally {
      await end?.();
    }
  });

  it('[J1] every one of them is tried here, or where Redis can be stopped', () => {
    const tried = new Set(CASES.map(({ rule }) => rule));
    expect(ALERT_RULE_IDS.filter((rule) => !tried.has(rule))).toEqual(['store_down', ...OF_SERVERS]);
  });
});
