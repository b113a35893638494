import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { retryDeadLetters } from '@/lib/dead-letter/retry-dead-letter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.retryDeadLetters, ({ user, body }) => retryDeadLetters(user, body)),
);
