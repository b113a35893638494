import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { fieldsProblem } from '@/lib/http/read-json';
import { createRiskRule } from '@/lib/risk/admin/change-risk-rule';
import { readRules } from '@/lib/risk/read-rules';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  /** Lists all rules at once: there are at most 200. */
  serve(contract.listRules, async () => ({ rules: await readRules(), nextCursor: null })),
  serve(contract.createRule, async ({ user, body, refuse }) => {
    const result = await createRiskRule(user, body);
    if (result.status === 'created') return result.rule;
    if (result.status === 'made_otherwise') return refuse('CREATED_OTHERWISE');
    return fieldsProblem([{ path: '', message: 'there are 200 rules already' }]);
  }),
);
