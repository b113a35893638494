import { authorize } from '@/lib/account/authorize';
import { explainAttempts } from '@/lib/checkout/explain-attempts';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

export const GET = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  const explanation = await explainAttempts(saleId, auth.user.userId);
  return explanation ? json(explanation) : problem('SALE_NOT_FOUND');
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
