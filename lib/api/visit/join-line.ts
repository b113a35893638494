import * as contract from '@/lib/contract/operations';
import { answerJoin } from '@/lib/line/answer-join';
import { addressOf } from '@/lib/server/client-header';
import type { DirectRoute } from '@/lib/server/direct-routes';

/** Gives places in a line: what a crowd asks before a start. */
export const join: DirectRoute = {
  method: contract.joinLine.method,
  path: contract.joinLine.path,
  answer: ({ method, headers, body, raw }, { saleId = '' }) =>
    answerJoin({ saleId, method, headers, body, address: addressOf(raw) }),
};
