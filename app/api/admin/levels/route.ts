import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { setLevelRules, viewLevelRules } from '@/lib/points/admin/set-level-rules';
import { readLevelRules } from '@/lib/points/read-level-rules';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readLevelRules, async () => viewLevelRules(await readLevelRules())),
  serve(contract.setLevelRules, async ({ user, body, refuse }) => {
    const result = await setLevelRules(user, body);
    if (result.status === 'unknown_product') return refuse('NOT_FOUND');
    const rules = await viewLevelRules(result.rules);
    return result.status === 'conflict' ? refuse('VERSION_CONFLICT', { extra: { current: rules } }) : rules;
  }),
);
