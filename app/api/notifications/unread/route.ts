import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { countUnread } from '@/lib/notify/count-unread';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.countUnread, async ({ user }) => ({ unread: await countUnread(user.userId) })),
);
