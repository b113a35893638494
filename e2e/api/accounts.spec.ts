import { expect, test } from '@playwright/test';
import { newShopper, unique } from '../support/accounts';
import { Client } from '../support/client';
import { execute } from '../support/database';
import { verificationMailOf } from '../support/mails';
import { expectProblem } from '../support/problem';

const valid = () => ({ email: `e2e-${unique()}@example.com`, password: 'long enough', name: 'Somebody' });

test('[L4] registers an account once, whatever the case of its address', async () => {
  const account = valid();
  const created = await new Client().post('/api/register', account);
  expect(created.status).toBe(201);
  expect(created.body).toEqual({ userId: expect.stringMatching(/^user_/) });
  const again = await new Client().post('/api/register', { ...account, email: account.email.toUpperCase() });
  expectProblem(again, 409, 'EMAIL_TAKEN');
});

test('[L4] refuses a wrong account with a list of its fields', async () => {
  const wrong: [Record<string, unknown>, string][] = [
    [{ email: 'nobody' }, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: `${'a'.repeat(250)}@example.com` }, 'email'],
    [{ password: 'short' }, 'password'],
    [{ password: 'x'.repeat(201) }, 'password'],
    [{ password: null }, 'password'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'with\u0000zero' }, 'name'],
    [{ name: ['a'] }, 'name'],
    [{ locale: 'xx' }, 'locale'],
    [{ locale: null }, 'locale'],
  ];
  for (const [change, path] of wrong) {
    const answer = await new Client().post('/api/register', { ...valid(), ...change });
    expectProblem(answer, 422, 'VALIDATION');
    expect(answer.body.fields).toContainEqual({ path, message: expect.any(String) });
  }
});

test('[L4] refuses a body that cannot be read', async () => {
  const register = (body: string, contentType = 'application/json') =>
    new Client().post('/api/register', body, { headers: { 'content-type': contentType } });
  expectProblem(await register(''), 400, 'MALFORMED');
  expectProblem(await register('{"email":'), 400, 'MALFORMED');
  expectProblem(await register('null'), 422, 'VALIDATION');
  expectProblem(await register('[]'), 422, 'VALIDATION');
  expectProblem(await register(JSON.stringify({ ...valid(), name: 'x'.repeat(20_000) })), 413, 'TOO_LARGE');
  expectProblem(await register(JSON.stringify(valid()), 'text/plain'), 415, 'UNSUPPORTED_MEDIA_TYPE');
});

test('[L4] signs in with the right password only', async () => {
  const { email, password } = await newShopper();
  await expect(new Client().signIn(email, 'something else')).rejects.toThrow('could not sign in');
  await expect(new Client().signIn(`other-${email}`, password)).rejects.toThrow('could not sign in');
  const signedIn = await new Client().signIn(email, password);
  expect((await signedIn.get('/api/auth/session')).body).toMatchObject({ user: { email, role: 'shopper' } });
});

test('[N4] tells in headers and body how long to wait after too many wrong passwords', async () => {
  const { email, password } = await newShopper();
  const attempt = (given: string) =>
    new Client().post('/api/auth/callback/credentials', { email, password: given, locale: 'en' });
  let answer = await attempt('wrong');
  for (let tries = 1; tries < 30 && answer.status === 401; tries += 1) answer = await attempt('wrong');
  expectProblem(answer, 429, 'RATE_LIMITED');
  expect(answer.body).toMatchObject({ scope: 'sign-in', retryAfterMs: expect.any(Number) });
  expect(answer.headers.get('ratelimit')).toMatch(/^"sign-in";r=0;t=\d+$/);
  expect(answer.headers.get('ratelimit-policy')).toBe('"sign-in";q=1');
  await expect.poll(async () => (await attempt(password)).status, { timeout: 150_000 }).toBe(200);
});

test('[N8] a sign-in from another site, or without a token, is refused', async () => {
  const { email, password } = await newShopper();
  const fields = { email, password };
  const path = '/api/auth/callback/credentials';
  for (const headers of [{ origin: 'https://evil.test' }, {} as Record<string, string>])
    expectProblem(await new Client().post(path, fields, { isSameOrigin: false, headers }), 403, 'CSRF');
});

test('[L4] names the demo accounts in demo mode', async () => {
  const { body } = await new Client().get('/api/demo');
  expect(body).toMatchObject({ demo: true, password: 'demo-password' });
  expect(body.accounts).toHaveLength(9);
  for (const role of ['shopper', 'merchant', 'support', 'auditor', 'admin'])
    expect(body.accounts).toContainEqual(expect.objectContaining({ role }));
});

test('[I3 L3] mails are in the language of the page: of registration, then of the latest sign-in', async () => {
  const account = valid();
  const created = await new Client().post('/api/register', { ...account, locale: 'zh-CN' });
  const userId = String(created.body.userId);
  await expect.poll(() => verificationMailOf(userId)).toContain('/zh-CN/verify-email#');

  const localeOf = async () => (await execute('SELECT locale FROM users WHERE id = $1', [userId]))[0]?.locale;
  expect(await localeOf()).toBe('zh-CN');
  await new Client().signIn(account.email, account.password);
  expect(await localeOf()).toBe('zh-CN');
  await new Client().signIn(account.email, account.password, { locale: 'xx' });
  expect(await localeOf()).toBe('zh-CN');
  await new Client().signIn(account.email, account.password, { locale: 'en' });
  expect(await localeOf()).toBe('en');
});
