import { authorize } from '@/lib/account/authorize';
import { readLive } from '@/lib/desk/live/read-live';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { parseSince } from './since';

/** `?since=MS`: also what was drawn over time after that. */
export const GET = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const since = parseSince(new URL(request.url).searchParams.get('since'));
  if (!since.success) return validationProblem(since.error);
  const result = await readLive(auth.user, saleId, since.data.since ?? null);
  if (result.status === 'found') return json(result.live);
  return problem(result.status === 'not_found' ? 'SALE_NOT_FOUND' : 'UNAVAILABLE');
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
