import { apiDocument } from '@/app/openapi/document';
import { otherMethods } from '@/lib/http/other-methods';
import { toResponse } from '@/lib/http/reply';
import { route } from '@/lib/http/route';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' };

let body: string | undefined;

export const GET = route(async () => {
  body ??= JSON.stringify(apiDocument());
  return toResponse({ status: 200, headers: HEADERS, body });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
