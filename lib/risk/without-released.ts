import 'server-only';
import { db } from '@/lib/db/client';
import type { RiskHit } from './types';

const isBlock = ({ rule }: RiskHit): boolean => rule.definition.action.kind === 'block';

/**
 * Leaves out blocks that staff took back, by the hit or on the blocklist, within the last window of the rule: what was
 * counted then still counts, so the subject's next event would block it again.
 * @throws connection errors
 */
export async function withoutReleased<T extends RiskHit>(
  hits: readonly T[],
  nowMs = Date.now(),
): Promise<T[]> {
  const blocks = hits.filter(isBlock);
  if (blocks.length === 0) return [...hits];
  const released = await findReleased(blocks);
  const isReleased = ({ rule, kind, value }: RiskHit) =>
    released.some(
      (one) =>
        one.ruleId === rule.ruleId &&
        one.kind === kind &&
        one.value === value &&
        one.at.getTime() > nowMs - rule.definition.windowSec * 1000,
    );
  return hits.filter((hit) => !isBlock(hit) || !isReleased(hit));
}

type Released = { ruleId: string; kind: string; value: string; at: Date };

function findReleased(blocks: readonly RiskHit[]): Promise<Released[]> {
  const rules = blocks.map(({ rule }) => rule.ruleId);
  const authors = rules.map((ruleId) => `rule:${ruleId}`);
  const kinds = blocks.map(({ kind }) => kind);
  const values = blocks.map(({ value }) => value);
  return db().$queryRaw<Released[]>`
    SELECT rule_id AS "ruleId", kind, value, released_at AS at FROM risk_hits
    WHERE rule_id = ANY (${rules}::text[]) AND kind = ANY (${kinds}::text[]) AND value = ANY (${values}::text[])
      AND released_at IS NOT NULL
    UNION ALL
    SELECT split_part(blocked_by, ':', 2), kind, value, lifted_at FROM blocks
    WHERE kind = ANY (${kinds}::text[]) AND value = ANY (${values}::text[])
      AND blocked_by = ANY (${authors}::text[]) AND lifted_by IS NOT NULL`;
}
