import { ApiProblem, type ProblemField } from './api-problem';
import { takeEarlyAnswer } from './early-answers';
import { parseRetryAfter } from './retry-after';

interface Options {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON, or as it is if it is a file. Leave it out to send no body. */
  body?: unknown;
  headers?: Record<string, string>;
  /**
   * Another name of the shop. It gets no cookies, and the body as plain text: without headers of its own such a request
   * needs no preflight.
   */
  origin?: string;
  signal?: AbortSignal;
  cache?: RequestCache;
  /** Gives up after this many ms: a connection that hangs must not hang the page. */
  timeoutMs?: number;
}

export interface Answer<T> {
  data: T;
  headers: Headers;
  /** When the answer came, monotonic ms: that may be before anybody asked for it. */
  receivedAt: number;
}

const TIMEOUT_MS = 10_000;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toFields(value: unknown): ProblemField[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map(({ path, message }) => ({
    path: Array.isArray(path) ? path.join('.') : String(path ?? ''),
    message: String(message ?? ''),
  }));
}

async function toProblem(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null);
  const problem = isRecord(body) ? body : {};
  const fromHeader = parseRetryAfter(response.headers.get('retry-after'), Date.now());
  const fromBody = typeof problem.retryAfterMs === 'number' ? problem.retryAfterMs : null;
  return new ApiProblem({
    status: response.status,
    code: typeof problem.code === 'string' ? problem.code : 'UNKNOWN',
    // The body's value is finer than the header's whole seconds.
    retryAfterMs: fromBody ?? fromHeader,
    expectedMs: typeof problem.expectedMs === 'number' ? problem.expectedMs : null,
    orderNo: typeof problem.orderNo === 'string' ? problem.orderNo : null,
    isOfCampaign: typeof problem.campaignLimit === 'number',
    isTooOften: typeof problem.purchasesPerUser === 'number',
    isTooMany: typeof problem.limitPerUser === 'number' && typeof problem.orderNo !== 'string',
    available: typeof problem.available === 'number' ? problem.available : null,
    fields: toFields(problem.fields ?? problem.errors),
  });
}

/**
 * Sends one request to our own server, as JSON, and returns the answer, JSON or a file, with its headers.
 * @throws ApiProblem for every answer that is not 2xx and when no answer came (`NETWORK`); an abort by the caller's
 *   signal is thrown as it is.
 */
export async function fetchAnswer<T>(path: string, options: Options = {}): Promise<Answer<T>> {
  const { method = 'GET', body, headers, origin, signal, cache, timeoutMs = TIMEOUT_MS } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  let response: Response;
  let receivedAt: number;
  try {
    const early =
      method === 'GET' && !headers && origin === undefined ? await takeEarlyAnswer(path, either) : null;
    const send = () =>
      fetch(`${origin ?? ''}${path}`, {
        method,
        cache,
        credentials: origin === undefined ? 'same-origin' : 'omit',
        headers: {
          accept: 'application/json',
          ...(body === undefined || origin !== undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
        signal: either,
      });
    response = early?.response ?? (await send());
    receivedAt = early?.receivedAt ?? performance.now();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiProblem({ status: 0, code: 'NETWORK' });
  }
  if (!response.ok) throw await toProblem(response);
  try {
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? true;
    const data = (await (isJson ? response.json() : response.blob())) as T;
    return { data, headers: response.headers, receivedAt };
  } catch {
    throw new ApiProblem({ status: response.status, code: 'UNREADABLE' });
  }
}

/** Does the same as `fetchAnswer` for callers that need only the data. */
export async function fetchJson<T>(path: string, options?: Options): Promise<T> {
  return (await fetchAnswer<T>(path, options)).data;
}
