import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import { createTask } from '@/lib/challenge/create-task';
import * as contract from '@/lib/contract/operations';
import { answerChallengeRequest } from '@/lib/entry/answer-challenge-request';
import { problem } from '@/lib/http/problem';
import { MAX_JSON_BYTES, readText } from '@/lib/http/read-json';
import { toResponse } from '@/lib/http/reply';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.askForChallenge, async (request, { saleId }) => {
    const body = await readText(request, MAX_JSON_BYTES);
    if (body === null) return problem('TOO_LARGE');
    const { method, headers } = request;
    const asked = { saleId, method, headers, body, address: requestAddress(headers) };
    return toResponse(await answerChallengeRequest(asked, createTask));
  }),
);
