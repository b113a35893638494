import { randomUUID } from 'node:crypto';
import { ERROR_CODES, type ErrorCode } from '@/lib/errors/codes';
import { type Reply, toResponse } from './reply';
import { currentRequestId } from './request-id';

export type ProblemOptions = {
  /** Instead of the code's usual title, where that would say too much. */
  title?: string;
  /** Details of this case, for a developer to read. */
  detail?: string;
  /** When trying again makes sense, in ms. 429 and 503 always carry one (default 1000). */
  retryAfterMs?: number;
  /** Further members of the problem object, such as `fields` or `orderNo`. */
  extra?: Record<string, unknown>;
  headers?: Record<string, string>;
  requestId?: string;
};

const DEFAULT_RETRY_AFTER_MS = 1000;

type Template = { status: number; head: string; detail: string; headers: Record<string, string> };

/** The parts that all answers of a code share are built once: most answers of a flash sale are refusals. */
const templates = new Map<ErrorCode, Template>();

function templateOf(code: ErrorCode): Template {
  const known = templates.get(code);
  if (known) return known;
  const template = makeTemplate(code, ERROR_CODES[code].title);
  templates.set(code, template);
  return template;
}

function makeTemplate(code: ErrorCode, title: string): Template {
  const { status } = ERROR_CODES[code];
  const type = `urn:seckill:problem:${code.toLowerCase().replaceAll('_', '-')}`;
  const template: Template = {
    status,
    head: `${JSON.stringify({ type, title, status, code }).slice(0, -1)},"detail":`,
    detail: JSON.stringify(title),
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  };
  if (mayRetry(status)) template.headers['retry-after'] = String(DEFAULT_RETRY_AFTER_MS / 1000);
  return template;
}

const mayRetry = (status: number) => status === 429 || status === 503;

/** Builds the refusal `code` as a problem+json reply record (RFC 9457). */
export function problemReply(code: ErrorCode, options: ProblemOptions = {}): Reply {
  const { title } = options;
  const { status, head, detail, headers } =
    title === undefined ? templateOf(code) : makeTemplate(code, title);
  const { retryAfterMs = mayRetry(status) ? DEFAULT_RETRY_AFTER_MS : undefined, extra } = options;
  const requestId = options.requestId ?? currentRequestId();
  let body = head + (options.detail === undefined ? detail : JSON.stringify(options.detail));
  body += `,"requestId":${requestId === undefined ? `"${randomUUID()}"` : JSON.stringify(requestId)}`;
  if (retryAfterMs !== undefined) body += `,"retryAfterMs":${retryAfterMs}`;
  const more = extra === undefined ? '{}' : JSON.stringify(extra);
  body += more === '{}' ? '}' : `,${more.slice(1)}`;
  if (options.retryAfterMs === undefined && !options.headers) return { status, headers, body };
  const own = { ...headers, ...options.headers };
  if (retryAfterMs !== undefined) own['retry-after'] = String(Math.ceil(retryAfterMs / 1000));
  return { status, headers: own, body };
}

/** Builds the refusal `code` as a Response. */
export const problem = (code: ErrorCode, options?: ProblemOptions): Response =>
  toResponse(problemReply(code, options));
