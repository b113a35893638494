import { editAdminRule } from '@/lib/alert/admin/edit-admin-rule';
import { readAlertRules } from '@/lib/alert/read-rules';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  /** Lists all rules at once: their number is fixed and small. */
  serve(contract.listAlertRules, async () => ({ rules: await readAlertRules(), nextCursor: null })),
  serve(contract.editAlertRule, async ({ user, body, refuse }) => {
    const { status, rule } = await editAdminRule(user, body);
    if (status === 'edited') return rule;
    return refuse('VERSION_CONFLICT', { extra: { version: rule.version, rule } });
  }),
);
