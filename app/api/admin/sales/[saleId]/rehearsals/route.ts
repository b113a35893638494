import { authorize } from '@/lib/account/authorize';
import { listRehearsals } from '@/lib/desk/rehearsal/list-rehearsals';
import { requestRehearsal, requestRehearsalSchema } from '@/lib/desk/rehearsal/request-rehearsal';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson, validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const GET = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const rehearsals = await listRehearsals(auth.user, saleId, page.data);
  return rehearsals ? json(rehearsals) : problem('SALE_NOT_FOUND');
});

export const POST = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, requestRehearsalSchema);
  if (!body.ok) return body.response;
  const result = await requestRehearsal(auth.user, saleId, body.data.shoppers);
  switch (result.status) {
    case 'requested':
      return json(result.rehearsal, { status: 202 });
    case 'already_requested':
      return json(result.rehearsal);
    case 'not_found':
      return problem('SALE_NOT_FOUND');
    case 'wrong_state':
      return problem('SALE_STATE', { detail: `The sale is ${result.is}.`, extra: { is: result.is } });
    case 'unsupported':
      return problem('REHEARSAL_UNSUPPORTED', { extra: { strategy: result.strategy } });
  }
});

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET', 'POST');
