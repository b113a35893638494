import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listNotifications } from '@/lib/notify/list-notifications';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listNotifications, ({ user, query }) => listNotifications(user.userId, query)),
);
