import { authorize } from '@/lib/account/authorize';
import { traceQuerySchema, traceShopper } from '@/lib/desk/why/trace-shopper';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const GET = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'trace');
  if (!auth.ok) return auth.response;
  const query = traceQuerySchema.safeParse({ user: new URL(request.url).searchParams.get('user') ?? '' });
  if (!query.success) return validationProblem(query.error);
  const result = await traceShopper(auth.user, saleId, query.data.user);
  switch (result.status) {
    case 'traced':
      return json(result.trace);
    case 'sale_not_found':
      return problem('SALE_NOT_FOUND');
    case 'user_not_found':
      return problem('USER_NOT_FOUND');
  }
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
