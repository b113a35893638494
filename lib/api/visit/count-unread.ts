import * as contract from '@/lib/contract/operations';
import { countUnread } from '@/lib/notify/count-unread';
import { serve } from '../serve';

export const servedUnread = serve(contract.countUnread, async ({ user }) => ({
  unread: await countUnread(user.userId),
}));
