import { setLevelRules } from '@/lib/admin/levels/set-level-rules';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readLevelRules } from '@/lib/points/read-level-rules';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readLevelRules, async () => ({ rules: await readLevelRules() })),
  serve(contract.setLevelRules, async ({ user, body, refuse }) => {
    const { status, rules } = await setLevelRules(user, body);
    return status === 'conflict' ? refuse('VERSION_CONFLICT', { extra: { rules } }) : { rules };
  }),
);
