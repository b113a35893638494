import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import { problem } from '@/lib/http/problem';
import { deleteRiskRule, editRiskRule } from '@/lib/risk/admin/change-risk-rule';
import type { EditRuleResult } from '@/lib/risk/edit-rule';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.editRule, async ({ user, params, body }) =>
    answer(await editRiskRule(user, params.ruleId, body)),
  ),
  serve(contract.deleteRule, async ({ user, params, body }) =>
    answer(await deleteRiskRule(user, params.ruleId, body.version)),
  ),
);

function answer(result: EditRuleResult): RiskRule | Response {
  switch (result.status) {
    case 'edited':
      return result.rule;
    case 'conflict':
      return problem('VERSION_CONFLICT', { extra: { version: result.rule.version, rule: result.rule } });
    case 'not_found':
      return problem('RULE_NOT_FOUND');
  }
}
