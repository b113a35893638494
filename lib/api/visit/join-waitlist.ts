import { answerJoin } from '@/lib/checkout/waitlist/answer-join';
import * as contract from '@/lib/contract/operations';
import { addressOf } from '@/lib/server/client-header';
import type { DirectRoute } from '@/lib/server/direct-routes';

/** Takes places on a waitlist: what a crowd asks once a sale has sold out. */
export const joinWaitlist: DirectRoute = {
  method: contract.joinWaitlist.method,
  path: contract.joinWaitlist.path,
  answer: ({ method, headers, raw }, { saleId = '' }) =>
    answerJoin({ saleId, method, headers, address: addressOf(raw) }),
};
