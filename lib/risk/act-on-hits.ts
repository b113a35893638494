import 'server-only';
import { blockSubjects } from '@/lib/block/block-subjects';
import { log } from '@/lib/http/log';
import { recordHits } from './record-hits';
import type { RiskHit } from './types';
import { refreshRisk } from './watch-risk';

/**
 * Records hits and does what their rules say. A block goes to the blocklist; a limit or challenge is in force through
 * the record itself; a hit of a dry run is only recorded. Every process knows within a second. Blocks come first: they
 * may be repeated, but a hit on record would not be acted on again.
 */
export async function actOnHits(
  hits: readonly (RiskHit & { saleId?: string })[],
  nowMs = Date.now(),
): Promise<void> {
  const live = hits.filter(({ rule }) => rule.state === 'enabled');
  const blocks = live.flatMap(({ rule, kind, value }) =>
    rule.definition.action.kind === 'block'
      ? [
          {
            kind,
            value,
            reason: rule.name,
            by: `rule:${rule.ruleId}`,
            expiresAt: nowMs + rule.definition.action.forSec * 1000,
          },
        ]
      : [],
  );
  if (blocks.length > 0) await blockSubjects(blocks, nowMs);
  const recorded = await recordHits(hits, nowMs);
  for (const { rule, kind, value, count } of recorded)
    log.warn({ ruleId: rule.ruleId, state: rule.state, kind, value, count }, 'risk rule hit');
  if (recorded.length > 0) await refreshRisk();
}
