import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listOutboxes } from '@/lib/queues/read-outboxes';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listOutboxes, ({ user, query }) => listOutboxes(user, query, query)),
);
