import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { markRead } from '@/lib/notify/mark-read';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.markRead, async ({ user, body }) => ({ unread: await markRead(user.userId, body.ids) })),
);
