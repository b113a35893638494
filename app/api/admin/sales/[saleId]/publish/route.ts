import { authorize } from '@/lib/account/authorize';
import { answerChange } from '@/lib/desk/answer-change';
import { publishSale } from '@/lib/desk/publish-sale';
import { otherMethods } from '@/lib/http/other-methods';
import { route } from '@/lib/http/route';

export const POST = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'desk');
  return auth.ok ? answerChange(await publishSale(auth.user, saleId)) : auth.response;
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
