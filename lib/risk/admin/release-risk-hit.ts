import 'server-only';
import { type Actor, demand } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { recordLift } from '@/lib/block/admin/record-block';
import { liftBlock } from '@/lib/block/lift-block';
import { listBlocks } from '@/lib/block/list-blocks';
import type { RiskHitView } from '@/lib/contract/shapes/risk';
import { transaction } from '@/lib/db/transaction';
import { releaseHit } from '@/lib/risk/release-hit';
import { refreshRisk } from '@/lib/risk/watch-risk';

/**
 * Undoes the effect of a hit: its limit or challenge ends, and so does the subject's block if the rule set it. All
 * processes apply it within a second. Releasing again changes nothing.
 * @returns null if there is no such hit
 */
export async function releaseRiskHit(actor: Actor, hitId: string): Promise<RiskHitView | null> {
  demand(actor, 'operator');
  const hit = await release(actor, hitId);
  if (!hit) return null;
  if (hit.action.kind === 'block' && !hit.isDryRun) {
    const filter = { state: 'live', kind: hit.kind, value: hit.value } as const;
    const found = await listBlocks({ limit: 100 }, filter);
    const block = found?.blocks.find(({ value, by }) => value === hit.value && by === `rule:${hit.ruleId}`);
    if (block) await liftBlock(block.id, actor.userId, (tx, before) => recordLift(tx, actor, before));
  }
  await refreshRisk();
  return hit;
}

const release = (actor: Actor, hitId: string): Promise<RiskHitView | null> =>
  transaction(async (tx) => {
    const released = await releaseHit(tx, hitId, actor.userId);
    if (!released) return null;
    const { hit, isNew } = released;
    const { ruleId, kind, value } = hit;
    if (isNew)
      await recordAction(tx, actor, {
        action: 'risk.release_hit',
        subject: { kind: 'risk_hit', id: hitId },
        before: { released: false, ruleId, kind, value },
        after: { released: true },
      });
    return hit;
  });
