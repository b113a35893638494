import 'server-only';
import { isMomentary } from '@/lib/contract/words/risk';
import { db } from '@/lib/db/client';
import type { RiskHit } from './types';

/** A recorded hit, and until when its action lasts. */
type RecordedHit = RiskHit & { hitId: string; expiresAt: number | null };

/**
 * Records hits: each rule and subject once per window of the rule, whichever process evaluates it and however often.
 * @param saleId the sale in which it happened, if it was one
 * @returns the new hits, whose actions are still to be carried out.
 */
export async function recordHits(
  hits: readonly (RiskHit & { saleId?: string })[],
  nowMs: number,
): Promise<RecordedHit[]> {
  if (hits.length === 0) return [];
  const rows = await db().riskHit.createManyAndReturn({
    data: hits.map(({ rule, kind, value, count, saleId, why }) => {
      const { windowSec, threshold, action } = rule.definition;
      return {
        ruleId: rule.ruleId,
        ruleVersion: rule.version,
        kind,
        value,
        period: BigInt(Math.floor(nowMs / 1000 / windowSec)),
        counters: { count, threshold, windowSec, ...(why ? { why: [...why] } : {}) },
        action,
        dryRun: rule.state === 'dry_run',
        saleId: saleId ?? null,
        expiresAt: isMomentary(action) ? null : new Date(nowMs + action.forSec * 1000),
      };
    }),
    skipDuplicates: true,
    select: { id: true, ruleId: true, kind: true, value: true, expiresAt: true },
  });
  return rows.flatMap(({ id, ruleId, kind, value, expiresAt }) => {
    const hit = hits.find(
      (each) => each.rule.ruleId === ruleId && each.kind === kind && each.value === value,
    );
    return hit ? [{ ...hit, hitId: String(id), expiresAt: expiresAt?.getTime() ?? null }] : [];
  });
}
