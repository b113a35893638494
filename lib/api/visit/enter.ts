import { answerEntry } from '@/lib/admission/answer-entry';
import * as contract from '@/lib/contract/operations';
import { addressOf } from '@/lib/server/client-header';
import type { DirectRoute } from '@/lib/server/direct-routes';

/** Gives entry tokens: what a crowd asks before a start. */
export const enter: DirectRoute = {
  method: contract.enter.method,
  path: contract.enter.path,
  answer: ({ method, headers, body, raw }, { saleId = '' }) =>
    answerEntry({ saleId, method, headers, body, address: addressOf(raw) }),
};
