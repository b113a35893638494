import 'server-only';
import type { AlertRuleView } from '@/lib/contract/shapes/alert';
import { ALERT_RULE_IDS } from '@/lib/contract/words/alert';
import { type Db, db } from '@/lib/db/client';
import { ALERT_RULES } from './rules';

/** Reads every rule, with the operators' changes. */
export async function readAlertRules(client: Db = db()): Promise<AlertRuleView[]> {
  const changes = new Map((await client.alertRule.findMany()).map((row) => [row.id, row]));
  return ALERT_RULE_IDS.map((id) => {
    const spec = ALERT_RULES[id];
    const { threshold, enabled, version } = changes.get(id) ?? { ...spec, enabled: true, version: 0 };
    return { ...spec, id, defaultThreshold: spec.threshold, threshold, enabled, version };
  });
}
