import { authorize } from '@/lib/account/authorize';
import { exportBlocks } from '@/lib/desk/blocks/export-blocks';
import { recordExport } from '@/lib/desk/record-export';
import { csvResponse } from '@/lib/http/csv-response';
import { otherMethods } from '@/lib/http/other-methods';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { parseBlockFilter } from '../filter';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeShop');
  if (!auth.ok) return auth.response;
  const filter = parseBlockFilter(request.url);
  if (!filter.success) return validationProblem(filter.error);
  await recordExport(auth.user, 'blocks', filter.data);
  return csvResponse('blocks.csv', exportBlocks(filter.data));
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
