import { apiDocument } from '@/app/openapi/document';
import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { toResponse } from '@/lib/http/reply';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' };

let body: string | undefined;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.readDocument, async () => {
    body ??= JSON.stringify(apiDocument());
    return toResponse({ status: 200, headers: HEADERS, body });
  }),
);
