import 'server-only';
import type { AlertRuleView, EditAlertRule } from '@/lib/contract/shapes/alert';
import type { Db } from '@/lib/db/client';
import { readAlertRules } from './read-rules';
import { ALERT_RULES } from './rules';

/** `conflict`: the rule has changed since the editor saw it. `rule` is its present state. */
export type EditAlertRuleResult = { status: 'edited' | 'conflict'; rule: AlertRuleView };

/** Changes a rule from the next evaluation on, at most 15 s later. @param by user id */
export async function editAlertRule(tx: Db, change: EditAlertRule, by: string): Promise<EditAlertRuleResult> {
  const { ruleId, version, threshold, enabled } = change;
  const written = await tx.$executeRaw`
    INSERT INTO alert_rules AS r (id, threshold, enabled, version, changed_by)
    SELECT ${ruleId}, ${threshold ?? ALERT_RULES[ruleId].threshold}::float8, ${enabled ?? true}, 1, ${by}
    WHERE ${version}::int = 0 OR EXISTS (SELECT FROM alert_rules WHERE id = ${ruleId})
    ON CONFLICT (id) DO UPDATE
    SET threshold = coalesce(${threshold ?? null}::float8, r.threshold),
        enabled = coalesce(${enabled ?? null}::boolean, r.enabled),
        version = r.version + 1, changed_by = excluded.changed_by, updated_at = now()
    WHERE r.version = ${version}::int`;
  const rule = (await readAlertRules(tx)).find(({ id }) => id === ruleId) as AlertRuleView;
  return { status: written === 1 ? 'edited' : 'conflict', rule };
}
