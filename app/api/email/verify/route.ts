import { describeWait } from '@/lib/access/describe-wait';
import { redeemVerification } from '@/lib/access/redeem-verification';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

/** The token alone identifies the account: the shopper may read the mail on another device than the one they shop with. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.verifyEmail, async ({ request: { headers }, body, refuse }) => {
    const result = await redeemVerification(body.token, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'verified':
        return { verified: true } as const;
      case 'invalid':
        return refuse('VERIFICATION_INVALID');
      case 'inbox_taken':
        return refuse('INBOX_TAKEN');
      case 'limited':
        return refuse('RATE_LIMITED', describeWait('verification', result.waitMs));
    }
  }),
);
