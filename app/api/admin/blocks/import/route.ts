import { authorize } from '@/lib/account/authorize';
import { importBlocks, importBlocksSchema, MAX_CHARS } from '@/lib/desk/blocks/import-blocks';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

/** In JSON a file takes more bytes than it has characters. */
const MAX_BYTES = 4 * MAX_CHARS;

export const POST = route(async (request) => {
  const auth = await authorize(request, 'operator');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, importBlocksSchema, { maxBytes: MAX_BYTES });
  if (!body.ok) return body.response;
  const result = await importBlocks(auth.user, body.data.csv);
  const refuse = (message: string) =>
    problem('VALIDATION', { detail: `csv: ${message}`, extra: { fields: [{ path: 'csv', message }] } });
  switch (result.status) {
    case 'imported':
      return json({ imported: result.imported, failed: result.failed, errors: result.errors });
    case 'malformed':
      return refuse('is not CSV');
    case 'no_columns':
      return refuse(`the first line must name the columns ${result.missing.join(', ')}`);
    case 'too_many':
      return refuse('has more than 10,000 lines');
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
