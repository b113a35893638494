import { answerChange } from '@/lib/admin/sales/answer-change';
import { setWaitlistOpen } from '@/lib/admin/sales/set-waitlist-open';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.openWaitlist, async ({ user, params, refuse }) => {
    const result = await setWaitlistOpen(user, params.saleId, true);
    return result.status === 'no_waitlist' ? refuse('NO_WAITLIST') : answerChange(result);
  }),
);
