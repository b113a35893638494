import { Readable } from 'node:stream';
import { authorize } from '@/lib/account/authorize';
import { exportBlocks } from '@/lib/desk/blocks/export-blocks';
import { otherMethods } from '@/lib/http/other-methods';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { parseBlockFilter } from '../filter';

const HEADERS = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="blocks.csv"',
  'cache-control': 'no-store',
};

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeShop');
  if (!auth.ok) return auth.response;
  const filter = parseBlockFilter(request.url);
  if (!filter.success) return validationProblem(filter.error);
  const bytes = Readable.from(exportBlocks(filter.data)).map((text: string) => Buffer.from(text));
  return new Response(Readable.toWeb(bytes) as ReadableStream, { headers: HEADERS });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
