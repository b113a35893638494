import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerChange } from '@/lib/sale/admin/answer-change';
import { setWaitlistOpen } from '@/lib/sale/admin/set-waitlist-open';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.closeWaitlist, async ({ user, params, refuse }) => {
    const result = await setWaitlistOpen(user, params.saleId, false);
    return result.status === 'no_waitlist' ? refuse('NO_WAITLIST') : answerChange(result);
  }),
);
