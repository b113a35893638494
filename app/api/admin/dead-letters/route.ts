import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listDeadLetters } from '@/lib/dead-letter/list-dead-letters';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listDeadLetters, ({ user, query }) => listDeadLetters(user, query, query)),
);
