import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { answerPassword, bringsPassword } from './answer-passwords';

const SIGN_IN = '/api/auth/callback/credentials';
const REGISTER = '/api/register';
const COMMON = ['X-Common', 'yes'];

const server = createServer((request, response) => {
  if (bringsPassword(request)) answerPassword(request, response, COMMON).catch(() => response.destroy());
  else response.writeHead(418).end();
});
let origin = '';

beforeAll(async () => {
  await cacheRedis().flushdb();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await Promise.all([closeRedis(), closeDb()]);
});

const post = (path: string, body: string | object, headers: Record<string, string> = {}) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    redirect: 'manual',
  });
const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;
const sessionSet = (answer: Response) =>
  answer.headers.getSetCookie().some((cookie) => cookie.startsWith(`${sessionCookieName()}=`));

describe('requests with a password, answered without Next', () => {
  it('[N4] sign in, each cookie in a header of its own, with the headers of every answer', async () => {
    const { email } = await makeAccount();
    const answer = await post(SIGN_IN, { email, password: PASSWORD });
    expect([answer.status, answer.headers.get('x-common'), sessionSet(answer)]).toEqual([200, 'yes', true]);
    expect(answer.headers.getSetCookie().length).toBeGreaterThan(1);
  });

  it('[N4] give no session for a wrong password, to another origin, or without a body', async () => {
    const { email } = await makeAccount();
    const refused = [
      await post(SIGN_IN, { email, password: 'wrong' }),
      await post(SIGN_IN, { email, password: PASSWORD }, { origin: 'https://evil.example' }),
      await post(SIGN_IN, ''),
      await post(SIGN_IN, '{"email":'),
    ];
    expect(refused.map(sessionSet)).toEqual([false, false, false, false]);
    expect(refused.map(({ status }) => status)).toEqual([401, 403, 400, 400]);
    for (const answer of refused) expect(await codeOf(answer)).toMatch(/^[A-Z_]+$/);
  });

  it('[N1] register, and a taken address gives no second account', async () => {
    const account = { name: 'Ada', email: `${newId('usr')}@example.com`, password: 'a long enough one' };
    const first = await post(REGISTER, account);
    expect(first.status).toBe(201);
    await post(REGISTER, { ...account, password: 'another one' });
    expect(await db().user.count({ where: { email: account.email } })).toBe(1);
    expect((await post(SIGN_IN, { email: account.email, password: 'another one' })).status).toBe(401);
  });

  it('[L4] refuse a body that no form sends', async () => {
    const answer = await post(SIGN_IN, { email: 'a@example.com', password: 'x'.repeat(1024 * 1024) });
    expect([answer.status, await codeOf(answer)]).toEqual([413, 'TOO_LARGE']);
  });

  it('[L4] are known by their plainest spelling alone; Next answers the others', async () => {
    expect(bringsPassword({ method: 'GET', url: SIGN_IN })).toBe(false);
    for (const path of [
      `${SIGN_IN}/`,
      `${SIGN_IN}?a=1`,
      '/api/auth/callback/credential%73',
      '//api/register',
    ])
      expect((await post(path, {})).status, path).toBe(418);
  });
});
