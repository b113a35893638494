import { z } from 'zod';
import { authorize } from '@/lib/account/authorize';
import { listOutboxes } from '@/lib/desk/queues/read-outboxes';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { parseFilter } from '@/lib/http/parse-filter';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

const filterSchema = z.object({
  state: z.enum(['waiting', 'all']).default('waiting'),
  saleId: z.string().max(64).optional(),
});

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const filter = parseFilter(request.url, filterSchema);
  if (!filter.success) return validationProblem(filter.error);
  return json(await listOutboxes(auth.user, page.data, filter.data));
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
