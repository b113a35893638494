import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { refusalOf } from '@/lib/shop/admin/answer-shop';
import { removeMember } from '@/lib/shop/admin/remove-member';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.removeMember, async ({ user, params: { shopId, userId } }) => {
    const result = await removeMember(user, shopId, userId);
    return result === 'changed' ? { userId } : refusalOf(result);
  }),
);
