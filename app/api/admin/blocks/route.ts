import { authorize } from '@/lib/account/authorize';
import { addBlock, addBlockSchema } from '@/lib/desk/blocks/add-block';
import { listDeskBlocks } from '@/lib/desk/blocks/list-desk-blocks';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson, validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { parseBlockFilter } from './filter';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeShop');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const filter = parseBlockFilter(request.url);
  if (!filter.success) return validationProblem(filter.error);
  const blocks = await listDeskBlocks(page.data, filter.data);
  return blocks ? json(blocks) : problem('VALIDATION', { detail: 'cursor: is not a cursor of ours' });
});

export const POST = route(async (request) => {
  const auth = await authorize(request, 'operator');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, addBlockSchema);
  if (!body.ok) return body.response;
  const result = await addBlock(auth.user, body.data);
  if (result.status === 'blocked') return json(result.block, { status: 201 });
  const path = result.problem === 'in_the_past' ? 'expiresAt' : 'value';
  const fields = [{ path, message: result.problem }];
  return problem('VALIDATION', { detail: `${path}: ${result.problem}`, extra: { fields } });
});

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET', 'POST');
