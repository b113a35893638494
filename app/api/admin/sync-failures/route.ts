import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listSyncFailures } from '@/lib/queues/list-sync-failures';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listSyncFailures, ({ user, query }) => listSyncFailures(user, query)),
);
