import { lookAtInvitation } from '@/lib/access/accept-invitation';
import { answerInvitation } from '@/lib/access/answer-invitation';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

/** The token is in the body, not in the address, so that no log contains it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.lookAtInvitation, async ({ request: { headers }, body }) => {
    const found = await lookAtInvitation(body.token, { address: requestAddress(headers), headers });
    if (found === null || 'status' in found) return answerInvitation(found ?? { status: 'invalid' });
    const { email, role, expiresAt, hasAccount, shop } = found;
    return { email, role, expiresAt, hasAccount, shop: shop && { name: shop.name, role: shop.role } };
  }),
);
