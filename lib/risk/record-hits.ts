import 'server-only';
import { db } from '@/lib/db/client';
import type { RiskHit } from './types';

/**
 * Records hits: each rule and subject once per window of the rule, whichever process evaluates it and however often.
 * @returns the new hits, whose actions are still to be carried out.
 */
export async function recordHits(
  hits: readonly (RiskHit & { saleId?: string })[],
  nowMs: number,
): Promise<RiskHit[]> {
  if (hits.length === 0) return [];
  const rows = await db().riskHit.createManyAndReturn({
    data: hits.map(({ rule, kind, value, count, saleId }) => {
      const { windowSec, threshold, action } = rule.definition;
      return {
        ruleId: rule.ruleId,
        ruleVersion: rule.version,
        kind,
        value,
        period: BigInt(Math.floor(nowMs / 1000 / windowSec)),
        counters: { count, threshold, windowSec },
        action,
        dryRun: rule.state === 'dry_run',
        saleId: saleId ?? null,
        expiresAt: action.kind === 'flag' ? null : new Date(nowMs + action.forSec * 1000),
      };
    }),
    skipDuplicates: true,
    select: { ruleId: true, kind: true, value: true },
  });
  return rows.flatMap(
    ({ ruleId, kind, value }) =>
      hits.find((each) => each.rule.ruleId === ruleId && each.kind === kind && each.value === value) ?? [],
  );
}
