import { expect } from '@playwright/test';
import { Client } from './client';
import { fastPathSecret } from './fast-path-secret';

/** Header fields that belong to one transmission, not to the message. Time and request id differ each time. */
const OF_ONE_TRANSMISSION = new Set([
  'date',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
]);
/** Values that are new in every answer. */
const NEW_EACH_TIME = ['requestId', 'serverTime', 'entryToken', 'expiresAt'];

export type Asked = { method: string; path: string; headers?: Record<string, string>; body?: unknown };

async function ask({ method, path, headers, body }: Asked, secret?: string) {
  const answer = await new Client().request(method, path, {
    // Our server compresses no small answers; Next does.
    headers: {
      'accept-encoding': 'identity',
      ...headers,
      ...(secret === undefined ? {} : { 'x-seckill-lane': secret }),
    },
    body,
    isSameOrigin: headers?.origin === undefined,
  });
  const masked = (name: string, value: unknown) => (NEW_EACH_TIME.includes(name) ? typeof value : value);
  const named = ([name, value]: [string, string]) =>
    name === 'set-cookie' ? [name, value.replace(/=[^;]*/, '')] : [name, value];
  return {
    status: answer.status,
    headers: Object.fromEntries(
      [...answer.headers].filter(([name]) => !OF_ONE_TRANSMISSION.has(name)).map(named),
    ),
    body: JSON.parse(JSON.stringify(answer.body), masked),
    keys: Object.keys(answer.body),
  };
}

/**
 * Sends the same request to our own server and to the route handlers in Next, and compares the answers. What is read
 * may change between the two, so that both are then asked again.
 */
export async function expectSame(asked: Asked, status?: number): Promise<void> {
  const compare = async () => {
    const [fast, next] = [await ask(asked), await ask(asked, fastPathSecret())];
    expect(fast, JSON.stringify(asked)).toEqual(next);
    if (status !== undefined) expect(fast.status, JSON.stringify(asked)).toBe(status);
  };
  const isRead = asked.method === 'GET' || asked.method === 'HEAD';
  if (isRead) await expect(compare).toPass({ timeout: 150_000, intervals: [200] });
  else await compare();
}
