import { z } from 'zod';
import { authorize } from '@/lib/account/authorize';
import { listRuns, RUN_STATES } from '@/lib/desk/queues/list-runs';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { parseFilter } from '@/lib/http/parse-filter';
import { problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

const filterSchema = z.object({
  state: z.enum(RUN_STATES).default('running'),
  saleId: z.string().max(64).optional(),
});

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const filter = parseFilter(request.url, filterSchema);
  if (!filter.success) return validationProblem(filter.error);
  const runs = await listRuns(auth.user, page.data, filter.data);
  return runs ? json(runs) : problem('VALIDATION', { detail: 'cursor: is not a cursor of ours' });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
