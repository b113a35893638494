import { authorize } from '@/lib/account/authorize';
import {
  readReconciliation,
  reconcileOnDemand,
  reconcileSchema,
} from '@/lib/desk/reconcile/reconcile-on-demand';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const POST = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, reconcileSchema, { allowEmpty: true });
  if (!body.ok) return body.response;
  const result = await reconcileOnDemand(auth.user, saleId, body.data.repair, body.data.kinds);
  switch (result.status) {
    case 'done':
      return json(result.report);
    case 'not_found':
      return problem('SALE_NOT_FOUND');
    case 'not_published':
      return problem('SALE_STATE', { detail: 'The sale is draft.', extra: { is: 'draft' } });
    case 'busy':
      return problem('UNAVAILABLE', { detail: 'The sale is being reconciled right now.' });
  }
});

export const GET = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const result = await readReconciliation(auth.user, saleId);
  if (result.status === 'not_found') return problem('SALE_NOT_FOUND');
  const { report, progress } = result;
  return json({ report, progress });
});

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET', 'POST');
