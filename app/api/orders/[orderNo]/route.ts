import { answerOrder } from '@/lib/checkout/answer-order';
import { identifyReader } from '@/lib/checkout/identify-reader';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { toResponse } from '@/lib/http/reply';
import { route } from '@/lib/http/route';

export const GET = route<{ orderNo: string }>(async (request, { orderNo }) => {
  const reader = await identifyReader(request.headers.get('x-entry-token'));
  return reader ? toResponse(await answerOrder(reader, orderNo)) : problem('UNAUTHENTICATED');
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
