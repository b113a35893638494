import { listOutboxes } from '@/lib/admin/queues/read-outboxes';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listOutboxes, ({ user, query }) => listOutboxes(user, query, query)),
);
