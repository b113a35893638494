import { randomUUID } from 'node:crypto';
import { ERROR_CODES, type ErrorCode } from '@/lib/errors/codes';
import { type Reply, toResponse } from './reply';

export type ProblemOptions = {
  /** What went wrong in this case, for a developer to read. */
  detail?: string;
  /** When trying again makes sense, in ms; 429 and 503 always carry one (default 1000). */
  retryAfterMs?: number;
  /** Further members of the problem object, such as `fields` or `orderNo`. */
  extra?: Record<string, unknown>;
  headers?: Record<string, string>;
  requestId?: string;
};

const DEFAULT_RETRY_AFTER_MS = 1000;

/** The refusal `code` as a problem+json reply record (RFC 9457). */
export function problemReply(code: ErrorCode, options: ProblemOptions = {}): Reply {
  const { status, title } = ERROR_CODES[code];
  const mayRetry = status === 429 || status === 503;
  const retryAfterMs = options.retryAfterMs ?? (mayRetry ? DEFAULT_RETRY_AFTER_MS : undefined);
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
      ...options.headers,
    },
    body: JSON.stringify({
      type: `urn:seckill:problem:${code.toLowerCase().replaceAll('_', '-')}`,
      title,
      status,
      code,
      detail: options.detail ?? title,
      requestId: options.requestId ?? randomUUID(),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...options.extra,
    }),
  };
}

/** The refusal `code` as a Response. */
export const problem = (code: ErrorCode, options?: ProblemOptions): Response =>
  toResponse(problemReply(code, options));
