import { answerShop } from '@/lib/admin/shop/answer-shop';
import { inviteMember } from '@/lib/admin/shop/invite-member';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

const HOUR_MS = 3_600_000;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.inviteMember, async ({ user, params: { shopId }, body, refuse }) => {
    const { status } = await inviteMember(user, shopId, body);
    if (status === 'too_many') return refuse('RATE_LIMITED', { retryAfterMs: HOUR_MS });
    if (status === 'not_sent') return refuse('UNAVAILABLE', { detail: 'The mail could not be sent.' });
    return answerShop(user, shopId, status === 'invited' ? 'changed' : status);
  }),
);
