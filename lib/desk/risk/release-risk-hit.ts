import 'server-only';
import { liftBlock } from '@/lib/block/lift-block';
import { listBlocks } from '@/lib/block/list-blocks';
import type { RiskHitView } from '@/lib/risk/list-hits';
import { releaseHit } from '@/lib/risk/release-hit';
import { refreshRisk } from '@/lib/risk/watch-risk';
import type { Actor } from '../actor';

/**
 * Takes back what a hit led to: its limit or challenge ends, and so does the subject's block if the rule set it. In force in
 * every process within a second; releasing again changes nothing.
 * @returns null if there is no such hit
 */
export async function releaseRiskHit(actor: Actor, hitId: string): Promise<RiskHitView | null> {
  const hit = await releaseHit(hitId, actor.userId);
  if (!hit) return null;
  if (hit.action.kind === 'block' && !hit.isDryRun) {
    const filter = { state: 'live', kind: hit.kind, value: hit.value } as const;
    const found = await listBlocks({ limit: 100 }, filter);
    const block = found?.blocks.find(({ value, by }) => value === hit.value && by === `rule:${hit.ruleId}`);
    if (block) await liftBlock(block.id, actor.userId);
  }
  await refreshRisk();
  return hit;
}
