import { describeWait } from '@/lib/access/describe-wait';
import { sendVerification } from '@/lib/access/send-verification';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { countedAddress } from '@/lib/http/address-key';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.sendVerification, async ({ request, user, answer, refuse }) => {
    if (user.emailVerifiedAt !== null) return { verified: true } as const;
    const result = await sendVerification(user, countedAddress(requestAddress(request.headers)));
    return result.status === 'sent'
      ? answer(202, { verified: false })
      : refuse('RATE_LIMITED', describeWait('verification', result.retryAfterMs));
  }),
);
