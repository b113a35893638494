import { authorize } from '@/lib/account/authorize';
import { createSale } from '@/lib/desk/create-sale';
import { listDeskSales } from '@/lib/desk/list-desk-sales';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson, validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { createSaleSchema } from '@/lib/sale/sale-input';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  return json(await listDeskSales(auth.user, page.data));
});

export const POST = route(async (request) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, createSaleSchema);
  if (!body.ok) return body.response;
  const result = await createSale(auth.user, body.data);
  if (result.status === 'created') return json(result.sale, { status: 201 });
  return problem('VALIDATION', {
    detail: 'productId: there is no such product of yours',
    extra: { fields: [{ path: 'productId', message: 'there is no such product of yours' }] },
  });
});

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET', 'POST');
