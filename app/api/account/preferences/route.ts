import { changePreferences, readPreferences } from '@/lib/account/preferences';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readPreferences,
    async ({ user, refuse }) => (await readPreferences(user.userId)) ?? refuse('UNAUTHENTICATED'),
  ),
  serve(contract.changePreferences, ({ user, body }) => changePreferences(user.userId, body)),
);
