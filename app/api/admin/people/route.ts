import { findPeople } from '@/lib/admin/people/find-people';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.findPeople, async ({ user, query }) => ({ people: await findPeople(user, query.search) })),
);
