import { listDeadLetters } from '@/lib/admin/dead-letters/list-dead-letters';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listDeadLetters, ({ user, query }) => listDeadLetters(user, query, query)),
);
