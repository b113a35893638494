import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { readPerson } from '@/lib/person/read-person';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readPerson,
    async ({ user, query, refuse }) => (await readPerson(user, query.who)) ?? refuse('USER_NOT_FOUND'),
  ),
);
