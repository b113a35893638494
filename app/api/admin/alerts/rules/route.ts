import { authorize } from '@/lib/account/authorize';
import { editAlertRuleSchema } from '@/lib/alert/edit-rule';
import { readAlertRules } from '@/lib/alert/read-rules';
import { editDeskRule } from '@/lib/desk/alerts/edit-desk-rule';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

/** All of them at once: they are a fixed few. */
export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeShop');
  if (!auth.ok) return auth.response;
  return json({ rules: await readAlertRules(), nextCursor: null });
});

export const PATCH = route(async (request) => {
  const auth = await authorize(request, 'operator');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, editAlertRuleSchema);
  if (!body.ok) return body.response;
  const { status, rule } = await editDeskRule(auth.user, body.data);
  if (status === 'edited') return json(rule);
  return problem('VERSION_CONFLICT', { extra: { version: rule.version, rule } });
});

export const { POST, PUT, DELETE, OPTIONS } = otherMethods('GET', 'PATCH');
