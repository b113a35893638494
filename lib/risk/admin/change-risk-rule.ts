import 'server-only';
import { type Actor, demand } from '@/lib/actor/actor';
import { createOnce } from '@/lib/actor/create-once';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import type { CreateRuleInput, EditRuleInput, RiskRule } from '@/lib/contract/shapes/risk';
import { transaction } from '@/lib/db/transaction';
import { createRule } from '@/lib/risk/create-rule';
import { deleteRule, type EditRuleResult, editRule } from '@/lib/risk/edit-rule';
import { toRule } from '@/lib/risk/types';

/** Adds a rule for an operator, once for each request; all processes apply it within a second. */
export function createRiskRule(
  actor: Actor,
  input: CreateRuleInput,
): Promise<{ status: 'created'; rule: RiskRule } | { status: 'made_otherwise' } | { status: 'too_many' }> {
  demand(actor, 'operator');
  return transaction(async (tx) => {
    const made = await createOnce(tx, actor, 'rule', input, {
      insert: (id) => createRule(input, actor.userId, tx, id),
      find: async (id) => {
        const row = await tx.riskRule.findUnique({ where: { id } });
        return row && toRule(row);
      },
    });
    if (made.status === 'not_made') return { status: 'too_many' };
    if (made.status === 'made_otherwise') return made;
    const rule = made.thing;
    if (made.status === 'created') {
      const [subject, after] = [subjectOf(rule), recorded(rule)];
      await recordAction(tx, actor, { action: 'risk.create_rule', subject, before: null, after });
    }
    return { status: 'created', rule };
  });
}

/** Changes a rule for an operator, if its version has not changed since they saw it. */
export function editRiskRule(actor: Actor, ruleId: string, input: EditRuleInput): Promise<EditRuleResult> {
  demand(actor, 'operator');
  return transaction(async (tx) => {
    const result = await editRule(ruleId, input, actor.userId, tx);
    if (result.status !== 'edited') return result;
    const fields = changedFields(recorded(result.before), recorded(result.rule));
    const subject = subjectOf(result.rule);
    if (fields) await recordAction(tx, actor, { action: 'risk.edit_rule', subject, ...fields });
    return result;
  });
}

/** Deletes a rule for an operator; its hits stay on record. @param version as last seen */
export function deleteRiskRule(actor: Actor, ruleId: string, version: number): Promise<EditRuleResult> {
  demand(actor, 'operator');
  return transaction(async (tx) => {
    const result = await deleteRule(ruleId, version, actor.userId, tx);
    if (result.status !== 'edited') return result;
    const [subject, before] = [subjectOf(result.before), recorded(result.before)];
    await recordAction(tx, actor, { action: 'risk.delete_rule', subject, before, after: null });
    return result;
  });
}

const subjectOf = ({ ruleId }: RiskRule) => ({ kind: 'risk_rule', id: ruleId });

const recorded = ({ name, definition, state, priority }: RiskRule) => ({ name, definition, state, priority });
