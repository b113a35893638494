import { z } from 'zod';
import { authorize } from '@/lib/account/authorize';
import { listMessages } from '@/lib/desk/queues/list-messages';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { parseFilter } from '@/lib/http/parse-filter';
import { problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { CONSUMED_TOPICS, RELAYED_TOPICS } from '@/lib/outbox/put-message';

const filterSchema = z.object({
  state: z.enum(['waiting', 'failing']).default('waiting'),
  topic: z.enum([...RELAYED_TOPICS, ...CONSUMED_TOPICS]).optional(),
  saleId: z.string().max(64).optional(),
});

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const filter = parseFilter(request.url, filterSchema);
  if (!filter.success) return validationProblem(filter.error);
  const messages = await listMessages(auth.user, page.data, filter.data);
  return messages ? json(messages) : problem('VALIDATION', { detail: 'cursor: is not a cursor of ours' });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
