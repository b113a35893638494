export type Reply =
  | {
      kind: 'answered';
      httpStatus: number;
      body: Record<string, unknown>;
      /** Cookies that the answer set, as `name=value`. */
      cookies: readonly string[];
      askedAt: number;
      answeredAt: number;
    }
  | { kind: 'unanswered'; error: string; askedAt: number; answeredAt: number };

type Asking = { method?: string; headers?: Record<string, string>; body?: string };

/** As long as a person at a browser waits. */
const TIMEOUT_MS = 10_000;

/**
 * Sends a web process one request and returns the answer. Never throws: a broken or silent connection is an answer,
 * too.
 */
export async function ask(url: string, { method = 'GET', headers, body = '' }: Asking = {}): Promise<Reply> {
  const askedAt = Date.now();
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(method === 'GET' ? {} : { body }),
    });
    const text = await response.text();
    const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
    const answeredAt = Date.now();
    return { kind: 'answered', httpStatus: response.status, body: parse(text), cookies, askedAt, answeredAt };
  } catch (error) {
    return { kind: 'unanswered', error: reasonOf(error), askedAt, answeredAt: Date.now() };
  }
}

/** Returns what went wrong below `fetch`, which says only that it failed. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
