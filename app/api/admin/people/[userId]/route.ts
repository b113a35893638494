import { readPerson } from '@/lib/admin/people/read-person';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readPerson,
    async ({ user, params, refuse }) => (await readPerson(user, params.userId)) ?? refuse('USER_NOT_FOUND'),
  ),
);
