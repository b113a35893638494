import { authorize } from '@/lib/account/authorize';
import { exportOrders } from '@/lib/desk/orders/export-orders';
import { recordExport } from '@/lib/desk/record-export';
import { csvResponse } from '@/lib/http/csv-response';
import { otherMethods } from '@/lib/http/other-methods';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { parseOrderFilter } from '../filter';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const filter = parseOrderFilter(request.url);
  if (!filter.success) return validationProblem(filter.error);
  await recordExport(auth.user, 'orders', filter.data);
  return csvResponse('orders.csv', exportOrders(auth.user, filter.data));
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
