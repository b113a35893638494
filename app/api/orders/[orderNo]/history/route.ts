import { findHistory } from '@/lib/checkout/find-history';
import { identifyReader } from '@/lib/checkout/identify-reader';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

export const GET = route<{ orderNo: string }>(async (request, { orderNo }) => {
  const reader = await identifyReader(request.headers.get('x-entry-token'));
  if (!reader) return problem('UNAUTHENTICATED');
  const events = await findHistory(reader, orderNo);
  return events ? json({ events }) : problem('ORDER_NOT_FOUND');
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
