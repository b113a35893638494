import { Agent, request } from 'node:http';

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
const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 64 });

/**
 * Sends a web process one request and returns the answer. Never throws: a broken or silent connection is an answer,
 * too.
 */
export function ask(url: string, { method = 'GET', headers = {}, body = '' }: Asking = {}): Promise<Reply> {
  const askedAt = Date.now();
  return new Promise((resolve) => {
    const fail = (error: Error) =>
      resolve({ kind: 'unanswered', error: error.message, askedAt, answeredAt: Date.now() });
    const withBody =
      method === 'GET' ? headers : { ...headers, 'content-length': `${Buffer.byteLength(body)}` };
    const sent = request(url, { method, headers: withBody, agent, timeout: TIMEOUT_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', fail);
      response.on('end', () => {
        const answeredAt = Date.now();
        const httpStatus = response.statusCode ?? 0;
        const cookies = (response.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? '');
        resolve({ kind: 'answered', httpStatus, body: parse(text), cookies, askedAt, answeredAt });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    sent.on('error', fail);
    sent.end(method === 'GET' ? undefined : body);
  });
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
