import { authorize } from '@/lib/account/authorize';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { createRule } from '@/lib/risk/create-rule';
import { readRules } from '@/lib/risk/read-rules';
import { createRuleSchema } from '@/lib/risk/rule-schema';

/** All of them at once: there are at most 200. */
export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeShop');
  if (!auth.ok) return auth.response;
  return json({ rules: await readRules(), nextCursor: null });
});

export const POST = route(async (request) => {
  const auth = await authorize(request, 'operator');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, createRuleSchema);
  if (!body.ok) return body.response;
  const rule = await createRule(body.data, auth.user.userId);
  return rule
    ? json(rule, { status: 201 })
    : problem('VALIDATION', { detail: 'There are 200 rules already.' });
});

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET', 'POST');
