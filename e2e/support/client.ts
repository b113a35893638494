import { setTimeout as delay } from 'node:timers/promises';
import { baseUrl } from './base-url';

/** How long a test asks again while the shop is busy. */
const INSIST_MS = 60_000;

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
  /** How many answers before this one said "busy". What was asked may have been done, and counted, all the same. */
  lost: number;
};

/** Asks, and asks again for up to a minute where the shop answers 503 and says when: its pages do the same. */
export async function askAgain<Reply extends Pick<Answer, 'status' | 'headers'>>(
  ask: () => Promise<Reply>,
): Promise<Reply> {
  for (const giveUpAt = Date.now() + INSIST_MS; ; ) {
    const answer = await ask();
    const waitMs = Number(answer.headers.get('retry-after')) * 1_000;
    if (answer.status !== 503 || !(waitMs > 0) || Date.now() + waitMs > giveUpAt) return answer;
    await delay(waitMs);
  }
}

type RequestOptions = {
  headers?: Record<string, string>;
  /** Sent as JSON; a string or bytes are sent as they are. */
  body?: unknown;
  /** False: sends no Origin header, which a browser would send. */
  isSameOrigin?: boolean;
};

/**
 * Acts as one visitor over plain HTTP, with a cookie jar: sends what a browser would send, and whatever else a test
 * wants.
 */
export class Client {
  private readonly cookies = new Map<string, string>();

  get(path: string, options: RequestOptions = {}): Promise<Answer> {
    return this.request('GET', path, options);
  }

  post(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    return this.request('POST', path, { body, ...options });
  }

  /** Asks, and asks again where the shop is busy (`askAgain`). */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    let asked = 0;
    const answer = await askAgain(() => {
      asked += 1;
      return this.ask(method, path, options);
    });
    return { ...answer, lost: asked - 1 };
  }

  /** Keeps a cookie as if the shop had set it. */
  keep(name: string, value: string): this {
    this.cookies.set(name, value);
    return this;
  }

  private async ask(method: string, path: string, options: RequestOptions): Promise<Omit<Answer, 'lost'>> {
    const { body, isSameOrigin = true } = options;
    const response = await fetch(new URL(path, baseUrl), {
      method,
      redirect: 'manual',
      headers: {
        ...(isSameOrigin && method !== 'GET' ? { origin: baseUrl } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.cookies.size > 0
          ? { cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') }
          : {}),
        ...options.headers,
      },
      body:
        body === undefined || typeof body === 'string' || body instanceof Uint8Array
          ? (body as BodyInit | undefined)
          : JSON.stringify(body),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }

  /** Returns the session's cookies in Playwright's form. */
  browserCookies(): { name: string; value: string; url: string }[] {
    return [...this.cookies].map(([name, value]) => ({ name, value, url: baseUrl }));
  }

  /** Signs in through NextAuth. @param more further fields of the form. @throws if that fails. */
  async signIn(email: string, password: string, more: Record<string, string> = {}): Promise<this> {
    const { csrfToken } = (await this.get('/api/auth/csrf')).body;
    const fields = { csrfToken: String(csrfToken), email, password, json: 'true', ...more };
    const form = new URLSearchParams(fields);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await this.post('/api/auth/callback/credentials', form.toString(), { headers });
    if (answer.status !== 200 || ![...this.cookies.keys()].some((name) => name.endsWith('session-token'))) {
      throw new Error(`${email} could not sign in: ${answer.status} ${answer.text}`);
    }
    return this;
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
