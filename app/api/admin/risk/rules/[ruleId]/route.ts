import { authorize } from '@/lib/account/authorize';
import { deleteRiskRule, editRiskRule } from '@/lib/desk/risk/change-risk-rule';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import type { EditRuleResult } from '@/lib/risk/edit-rule';
import { deleteRuleSchema, editRuleSchema } from '@/lib/risk/rule-schema';

export const PATCH = route<{ ruleId: string }>(async (request, { ruleId }) => {
  const auth = await authorize(request, 'operator');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, editRuleSchema);
  if (!body.ok) return body.response;
  return answer(await editRiskRule(auth.user, ruleId, body.data));
});

export const DELETE = route<{ ruleId: string }>(async (request, { ruleId }) => {
  const auth = await authorize(request, 'operator');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, deleteRuleSchema);
  if (!body.ok) return body.response;
  return answer(await deleteRiskRule(auth.user, ruleId, body.data.version));
});

function answer(result: EditRuleResult): Response {
  switch (result.status) {
    case 'edited':
      return json(result.rule);
    case 'conflict':
      return problem('VERSION_CONFLICT', { extra: { version: result.rule.version, rule: result.rule } });
    case 'not_found':
      return problem('RULE_NOT_FOUND');
  }
}

export const { GET, HEAD, POST, PUT, OPTIONS } = otherMethods('PATCH', 'DELETE');
