import { createPow } from '@/lib/challenge/pow/create-pow';
import type { CreateTask } from '@/lib/challenge/types';
import * as contract from '@/lib/contract/operations';
import { answerChallengeRequest } from '@/lib/entry/answer-challenge-request';
import { findSaleInfo, peekSaleInfo } from '@/lib/sale/records/find-sale-info';
import { addressOf } from '@/lib/server/client-header';
import type { DirectRoute } from '@/lib/server/direct-routes';

/** The process that sells makes no puzzles. A published sale keeps its challenge, so none are asked for here. */
const createCalculation: CreateTask = async (kind, riskScore) =>
  kind === 'pow' ? createPow(riskScore) : null;

/** Gives calculations to do before entry: a crowd asks for one each. Next gives the puzzles. */
export const askForCalculation: DirectRoute = {
  method: contract.askForChallenge.method,
  path: contract.askForChallenge.path,
  takes({ saleId = '' }) {
    const sale = peekSaleInfo(saleId);
    // For the next one.
    if (sale === undefined) void findSaleInfo(saleId).catch(() => {});
    return sale?.challenge === 'pow' || sale?.challenge === 'none';
  },
  answer: ({ method, headers, body, raw }, { saleId = '' }) =>
    answerChallengeRequest({ saleId, method, headers, body, address: addressOf(raw) }, createCalculation),
};
