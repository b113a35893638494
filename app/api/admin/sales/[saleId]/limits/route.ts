import { authorize } from '@/lib/account/authorize';
import { answerChange } from '@/lib/desk/answer-change';
import { changeLimits } from '@/lib/desk/change-limits';
import { otherMethods } from '@/lib/http/other-methods';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { limitsSchema } from '@/lib/sale/limits-input';

export const PATCH = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, limitsSchema);
  return body.ok ? answerChange(await changeLimits(auth.user, saleId, body.data)) : body.response;
});

export const { GET, HEAD, POST, PUT, DELETE, OPTIONS } = otherMethods('PATCH');
