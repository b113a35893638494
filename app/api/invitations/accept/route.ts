import { acceptInvitation } from '@/lib/access/accept-invitation';
import { answerInvitation } from '@/lib/access/answer-invitation';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.acceptInvitation, async ({ request: { headers }, body }) =>
    answerInvitation(await acceptInvitation(body, { address: requestAddress(headers), headers })),
  ),
);
