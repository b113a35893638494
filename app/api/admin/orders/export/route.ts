import { Readable } from 'node:stream';
import { authorize } from '@/lib/account/authorize';
import { exportOrders } from '@/lib/desk/orders/export-orders';
import { otherMethods } from '@/lib/http/other-methods';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { parseOrderFilter } from '../filter';

const HEADERS = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="orders.csv"',
  'cache-control': 'no-store',
};

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const filter = parseOrderFilter(request.url);
  if (!filter.success) return validationProblem(filter.error);
  // One piece ahead of the reader, not the 16 that streams of objects keep by default.
  const pieces = Readable.from(exportOrders(auth.user, filter.data), { highWaterMark: 1 });
  const bytes = pieces.map((text: string) => Buffer.from(text), { concurrency: 1 });
  return new Response(Readable.toWeb(bytes) as ReadableStream, { headers: HEADERS });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
