import * as contract from '@/lib/contract/operations';
import { addressOf } from '@/lib/server/client-header';
import type { DirectRoute } from '@/lib/server/direct-routes';
import { answerJoin } from '@/lib/waitlist/answer-join';

/** Takes places on a waitlist: what a crowd asks once a sale has sold out. */
export const joinWaitlist: DirectRoute = {
  method: contract.joinWaitlist.method,
  path: contract.joinWaitlist.path,
  answer: ({ headers, body, raw }, { saleId = '' }) =>
    answerJoin({
      saleId,
      entryToken: headers.get('x-entry-token'),
      body,
      contentType: headers.get('content-type'),
      address: addressOf(raw),
    }),
};
