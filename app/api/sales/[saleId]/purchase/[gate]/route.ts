import { purchase } from '@/lib/checkout/purchase';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readText } from '@/lib/http/read-json';
import { toResponse } from '@/lib/http/reply';
import { route } from '@/lib/http/route';
import { requestAddress } from '@/lib/server/client-header';

const MAX_BODY_BYTES = 1024;

export const POST = route<{ saleId: string; gate: string }>(async (request, { saleId, gate }) => {
  const body = await readText(request, MAX_BODY_BYTES);
  if (body === null) return problem('TOO_LARGE');
  const { headers } = request;
  const entryToken = headers.get('x-entry-token');
  return toResponse(
    await purchase({ saleId, gate, entryToken, body, address: () => requestAddress(headers) }),
  );
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
