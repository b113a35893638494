import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { openPage } from '@/lib/payment/sandbox/open-page';

/** What the sandbox's payment page shows; its token stands in for the provider's own session. */
export const GET = route<{ paymentId: string }>(async (request, { paymentId }) => {
  const page = await openPage(paymentId, new URL(request.url).searchParams.get('token') ?? '');
  return page ? json(page) : problem('PAYMENT_NOT_FOUND');
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
