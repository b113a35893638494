import { authorize } from '@/lib/account/authorize';
import { listDeskOrders } from '@/lib/desk/orders/list-desk-orders';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { parseOrderFilter } from './filter';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const filter = parseOrderFilter(request.url);
  if (!filter.success) return validationProblem(filter.error);
  const orders = await listDeskOrders(auth.user, page.data, filter.data);
  return orders ? json(orders) : problem('VALIDATION', { detail: 'cursor: is not a cursor of ours' });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
