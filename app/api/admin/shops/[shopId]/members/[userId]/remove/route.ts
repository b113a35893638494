import { refusalOf } from '@/lib/admin/shop/answer-shop';
import { removeMember } from '@/lib/admin/shop/remove-member';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.removeMember, async ({ user, params: { shopId, userId } }) => {
    const result = await removeMember(user, shopId, userId);
    return result === 'changed' ? { userId } : refusalOf(result);
  }),
);
