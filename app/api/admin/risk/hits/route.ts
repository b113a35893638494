import { authorize } from '@/lib/account/authorize';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { parseFilter } from '@/lib/http/parse-filter';
import { problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { hitFilterSchema, listHits } from '@/lib/risk/list-hits';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeShop');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const filter = parseFilter(request.url, hitFilterSchema);
  if (!filter.success) return validationProblem(filter.error);
  const hits = await listHits(page.data, filter.data);
  return hits ? json(hits) : problem('VALIDATION', { detail: 'cursor: is not a cursor of ours' });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
