import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { type EditAlertRuleResult, editAlertRule } from '@/lib/alert/edit-rule';
import { readAlertRules } from '@/lib/alert/read-rules';
import { recordAction } from '@/lib/audit/record-action';
import type { EditAlertRule } from '@/lib/contract/shapes/alert';
import { transaction } from '@/lib/db/transaction';

/** Changes an alert rule and records who changed it. */
export function editAdminRule(actor: Actor, change: EditAlertRule): Promise<EditAlertRuleResult> {
  return transaction(async (tx) => {
    const before = (await readAlertRules(tx)).find(({ id }) => id === change.ruleId);
    const result = await editAlertRule(tx, change, actor.userId);
    if (result.status === 'edited') {
      await recordAction(tx, actor, {
        action: 'alert_rule.change',
        subject: { kind: 'alert_rule', id: change.ruleId },
        before: before ? { threshold: before.threshold, enabled: before.enabled } : null,
        after: { threshold: result.rule.threshold, enabled: result.rule.enabled },
      });
    }
    return result;
  });
}
