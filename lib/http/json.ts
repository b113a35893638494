import { toResponse } from './reply';

type JsonInit = { status?: number; headers?: Record<string, string> };

/** Builds a JSON answer. Caches never store it unless the caller says otherwise. */
export function json(body: unknown, init: JsonInit = {}): Response {
  return toResponse({
    status: init.status ?? 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...init.headers },
    body: JSON.stringify(body),
  });
}
