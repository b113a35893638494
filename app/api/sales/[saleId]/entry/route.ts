import { answerEntry } from '@/lib/admission/answer-entry';
import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { problem } from '@/lib/http/problem';
import { MAX_JSON_BYTES, readText } from '@/lib/http/read-json';
import { toResponse } from '@/lib/http/reply';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.enter, async (request, { saleId }) => {
    const body = await readText(request, MAX_JSON_BYTES);
    if (body === null) return problem('TOO_LARGE');
    const { method, headers } = request;
    return toResponse(await answerEntry({ saleId, method, headers, body, address: requestAddress(headers) }));
  }),
);
