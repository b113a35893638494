import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { currentUser } from '@/lib/account/current-user';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { closeDb, db } from '@/lib/db/client';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { lengthenWaits } from '@/test/support/lengthen-waits';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { GET, POST } from './[...nextauth]/route';

const ORIGIN = 'http://localhost:3999';
const OUR_PAGE = { origin: ORIGIN, host: 'localhost:3999' };

type Sent = { headers?: Record<string, string>; body?: string };
function ask(method: 'GET' | 'POST', path: string, { headers = {}, body }: Sent = {}): Promise<Response> {
  const request = new Request(`${ORIGIN}/api/auth/${path}`, { method, headers, body });
  const nextauth = new URL(request.url).pathname.replace('/api/auth/', '').split('/');
  return (method === 'GET' ? GET : POST)(request, { params: Promise.resolve({ nextauth }) });
}

const asForm = (fields: Record<string, string>): Sent => ({
  headers: { ...OUR_PAGE, 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const asJson = (body: unknown, headers: Record<string, string> = OUR_PAGE): Sent => ({
  headers: { ...headers, 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const CALLBACK = 'callback/credentials';

const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
const sessionOf = (answer: Response) =>
  cookiesOf(answer)
    .find((pair) => pair.startsWith(`${sessionCookieName()}=`))
    ?.slice(sessionCookieName().length + 1);
const whoIs = async (session: string | undefined) => {
  const answer = await ask('GET', 'session', { headers: { cookie: `${sessionCookieName()}=${session}` } });
  return ((await answer.json()) as { user?: { id: string } }).user?.id;
};
const problemOf = async (answer: Response) => ({
  status: answer.status,
  code: ((await answer.json()) as { code?: string }).code,
});

beforeEach(() => cacheRedis().flushdb());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

describe('signing in', () => {
  it("[N3 N8] NextAuth's clients sign in with its token, and our pages without one", async () => {
    const { id, email } = await makeAccount();
    const given = await ask('GET', 'csrf');
    const { csrfToken } = (await given.json()) as { csrfToken: string };
    const form = asForm({ csrfToken, email, password: PASSWORD, json: 'true' });
    const cookie = cookiesOf(given).join('; ');
    const byToken = await ask('POST', CALLBACK, {
      ...form,
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
    });
    expect(byToken.status).toBe(200);
    expect(await byToken.json()).toEqual({ url: `${ORIGIN}/` });
    const byPage = await ask(
      'POST',
      CALLBACK,
      asJson({ email: ` ${email.toUpperCase()} `, password: PASSWORD }),
    );
    for (const answer of [byToken, byPage]) {
      expect(await whoIs(sessionOf(answer))).toBe(id);
      const [session = ''] = answer.headers.getSetCookie().filter((each) => each.includes('session-token'));
      expect(session).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    }
  });

  it('[N3] again in the same browser ends the session before, whoever’s it was; failing to does not', async () => {
    const [one, other] = [await makeAccount(), await makeAccount()];
    const enter = async (email: string, password = PASSWORD, cookie = '') =>
      sessionOf(await ask('POST', CALLBACK, asJson({ email, password }, { ...OUR_PAGE, cookie })));
    const cookieOf = (session: string | undefined) => `a=b; ${sessionCookieName()}=${session}`;
    const first = await enter(one.email);
    const elsewhere = await enter(one.email);
    expect(await enter(one.email, 'wrong', cookieOf(first))).toBeUndefined();
    expect(await whoIs(first)).toBe(one.id);
    const second = await enter(one.email, PASSWORD, cookieOf(first));
    expect([await whoIs(first), await whoIs(second)]).toEqual([undefined, one.id]);
    const third = await enter(other.email, PASSWORD, cookieOf(second));
    expect([await whoIs(second), await whoIs(third)]).toEqual([undefined, other.id]);
    expect(await whoIs(await enter(other.email, PASSWORD, cookieOf('torn')))).toBe(other.id);
    expect(await whoIs(elsewhere)).toBe(one.id);
  });

  it('[N8] without our origin or a right token nobody is signed in, and no password is tried', async () => {
    const { email } = await makeAccount();
    const fields = { email, password: PASSWORD };
    const token = { csrfToken: 'a'.repeat(64) };
    for (const sent of [
      asJson(fields, {}),
      asJson({ ...fields, ...token }, {}),
      asJson(fields, { origin: 'https://evil.test', host: 'localhost:3999' }),
      asJson(fields, { 'sec-fetch-site': 'cross-site' }),
      { ...asForm(fields), headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' } },
    ]) {
      const answer = await ask('POST', CALLBACK, sent);
      expect(answer.headers.getSetCookie().join()).not.toContain('session-token=');
      expect(await problemOf(answer)).toEqual({ status: 403, code: 'CSRF' });
    }
    expect(await cacheRedis().keys('tries:*')).toEqual([]);
  });

  it('[N8] a wrong password is said in one of our codes, to NextAuth’s clients in its address as well', async () => {
    const { email } = await makeAccount();
    const answer = await ask(
      'POST',
      CALLBACK,
      asJson({ email, password: 'wrong', callbackUrl: '//evil.test' }),
    );
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      code: 'CREDENTIALS_WRONG',
      url: `${ORIGIN}/signin?notice=wrong&error=CredentialsSignin`,
    });
  });

  it('[N8] what is no form of ours is refused with a code, and nothing of it comes back', async () => {
    const refused: [unknown, number, string][] = [
      [{ email: ['a'], password: 'b' }, 422, 'VALIDATION'],
      [{ email: { trim: 1 }, password: 'b' }, 422, 'VALIDATION'],
      [{ email: 'a@example.com' }, 422, 'VALIDATION'],
      [{ email: 'a@example.com', password: 'x'.repeat(201) }, 401, 'CREDENTIALS_WRONG'],
      [{ email: `${'x'.repeat(255)}`, password: 'b' }, 401, 'CREDENTIALS_WRONG'],
      [{ email: 'a\0@example.com', password: 'b' }, 401, 'CREDENTIALS_WRONG'],
      [{ email: '\ud800@example.com', password: '\ud800' }, 401, 'CREDENTIALS_WRONG'],
      [{ email: 'a@example.com', password: 'b', csrfToken: 7 }, 422, 'VALIDATION'],
      ...['null', '[]', '7', '"x"'].map((body): [unknown, number, string] => [body, 422, 'VALIDATION']),
      ...['', '{"email":"a@exa', '{', 'undefined'].map((body): [unknown, number, string] => [
        body,
        400,
        'MALFORMED',
      ]),
      [{ email: 'a@example.com', password: 'b', more: 'x'.repeat(20_000) }, 413, 'TOO_LARGE'],
    ];
    for (const [body, status, code] of refused) {
      const answer = await ask('POST', CALLBACK, asJson(body));
      const text = await answer.text();
      expect({ status: answer.status, code: JSON.parse(text).code }, text).toEqual({ status, code });
      expect(text).not.toMatch(/is not a function|TypeError|node_modules|next-auth/i);
    }
    const asText = { headers: { ...OUR_PAGE, 'content-type': 'text/plain' }, body: '{}' };
    expect(await problemOf(await ask('POST', CALLBACK, asText))).toEqual({
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
  });
});

describe('a form sent without script', () => {
  const referer = (query: string) => ({ ...OUR_PAGE, referer: `${ORIGIN}/signin${query}` });
  const send = (fields: Record<string, string>, query = '') => {
    const form = asForm(fields);
    return ask('POST', CALLBACK, { ...form, headers: { ...form.headers, ...referer(query) } });
  };

  it('[N8] leads to the page that was wanted, signed in; its password is in no address', async () => {
    const { id, email } = await makeAccount();
    const fields = { email, password: PASSWORD, locale: 'zh-CN' };
    const answer = await send(fields, '?callbackUrl=%2Fzh-CN%2Fsales%2Fx');
    expect(answer.status).toBe(303);
    const next = answer.headers.get('location') ?? '';
    expect(next).not.toContain('horse');
    expect(await whoIs(sessionOf(answer))).toBe(id);
    const [path = ''] = [next.replace('/api/auth/', '')];
    const headers = { cookie: cookiesOf(answer).join('; ') };
    expect((await ask('GET', path, { headers })).headers.get('location')).toBe('/zh-CN/sales/x');
    expect((await ask('GET', path)).headers.get('location')).toMatch(
      /^\/zh-CN\/signin\?notice=cookies&callbackUrl=%2Fzh-CN%2Fsales%2Fx#cookies$/,
    );
  });

  it('[N8] comes back to itself with what went wrong', async () => {
    const { email } = await makeAccount();
    const locationOf = async (fields: Record<string, string>) =>
      (await send(fields, '?callbackUrl=/orders')).headers.get('location');
    expect(await locationOf({ email, password: 'wrong' })).toBe(
      '/signin?notice=wrong&callbackUrl=%2Forders#wrong',
    );
    expect(await locationOf({ password: 'wrong', locale: 'zh-CN' })).toBe(
      '/zh-CN/signin?notice=invalid&callbackUrl=%2Forders#invalid',
    );
    lengthenWaits(55_000);
    for (let n = 0; n < 5; n += 1) await send({ email, password: 'wrong' });
    const waiting = await send({ email, password: PASSWORD }, '?callbackUrl=/orders');
    expect(waiting.headers.get('location')).toMatch(
      /^\/signin\?notice=wait&wait=\d+&callbackUrl=%2Forders#wait-60$/,
    );
    expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('[N8] of another site is refused', async () => {
    const { email } = await makeAccount();
    const form = asForm({ email, password: PASSWORD });
    const headers = { ...form.headers, origin: 'https://evil.test' };
    expect(await problemOf(await ask('POST', CALLBACK, { ...form, headers }))).toEqual({
      status: 403,
      code: 'CSRF',
    });
  });
});

describe('signing out', () => {
  it('[N3] ends the session, also for whoever has copied its cookie', async () => {
    const { id, email } = await makeAccount();
    const session = sessionOf(await ask('POST', CALLBACK, asJson({ email, password: PASSWORD }))) ?? '';
    const other = sessionOf(await ask('POST', CALLBACK, asJson({ email, password: PASSWORD })));
    expect(await whoIs(session)).toBe(id);
    const cookie = `${sessionCookieName()}=${session}`;
    const foreign = await ask('POST', 'signout', asJson({}, { cookie }));
    expect(await problemOf(foreign)).toEqual({ status: 403, code: 'CSRF' });
    expect(await whoIs(session)).toBe(id);
    const out = await ask('POST', 'signout', asJson({}, { ...OUR_PAGE, cookie }));
    expect(await out.json()).toEqual({ url: `${ORIGIN}/` });
    expect(out.headers.getSetCookie().join('\n')).toMatch(/session-token=; Max-Age=0/);
    expect(await whoIs(session)).toBeUndefined();
    const asked = await currentUser(new Headers({ cookie: `${sessionCookieName()}=${session}` }));
    expect(asked).toBeNull();
    expect(await whoIs(other)).toBe(id);
  });

  it('[N3] without a session, with a torn one or again changes nothing and says the same', async () => {
    for (const cookie of ['', `${sessionCookieName()}=torn`, `${sessionCookieName()}=${'x'.repeat(9_000)}`]) {
      const out = await ask('POST', 'signout', asJson({}, { ...OUR_PAGE, cookie }));
      expect(await out.json()).toEqual({ url: `${ORIGIN}/` });
    }
  });
});

describe('what else NextAuth would answer', () => {
  it('[N8] its pages are ours: nothing of its words, and no way off this site', async () => {
    const leadsTo = async (path: string) => (await ask('GET', path)).headers.get('location');
    expect(await leadsTo('signin')).toBe('/signin');
    expect(await leadsTo('signin?callbackUrl=javascript:alert(1)')).toBe('/signin');
    expect(await leadsTo('signin?callbackUrl=%2Forders')).toBe('/signin?callbackUrl=%2Forders');
    expect(await leadsTo('error?error=e.trim+is+not+a+function')).toBe('/signin');
    expect(await leadsTo('error?error=CredentialsSignin')).toBe('/signin?notice=wrong#wrong');
    expect(await leadsTo('signed-in?to=//evil.test&locale=zh-CN')).toMatch(
      /^\/zh-CN\/signin\?notice=cookies/,
    );
  });

  it.each([
    ['GET', CALLBACK, 405],
    ['GET', 'signout', 405],
    ['POST', 'session', 405],
    ['POST', 'csrf', 405],
    ['POST', 'signin', 405],
    ['POST', 'signin/credentials', 404],
    ['GET', 'signin/credentials?callbackUrl=javascript:1', 404],
    ['GET', 'verify-request', 404],
    ['GET', 'callback/google', 404],
    ['POST', '_log', 404],
    ['GET', '__proto__', 404],
    ['GET', 'toString', 404],
  ] as const)('[N8] %s %s is %d', async (method, path, status) => {
    const answer = await ask(method, path, method === 'POST' ? asJson('null') : {});
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    if (status === 405) expect(answer.headers.get('allow')).toMatch(/^(GET, HEAD|POST), OPTIONS$/);
  });

  it('[N8] whatever is sent, the answer is no failure, tells nothing of us, and leads nowhere else', async () => {
    const { email } = await makeAccount();
    const mine = sessionOf(await ask('POST', CALLBACK, asJson({ email, password: PASSWORD }))) ?? '';
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        'javascript:alert(1)',
        '//evil.test',
        'https://evil.test/',
        '/en//evil.test',
        email,
        'true',
      ),
      fc.constantFrom(
        '{"email":["a"]}',
        'null',
        '[[[[',
        '{"__proto__":{"email":1}}',
        '%',
        '%00',
        'x'.repeat(17_000),
      ),
    );
    const anyPath = fc.oneof(
      fc.constantFrom('csrf', 'providers', 'session', 'signin', 'error', 'signout', CALLBACK, 'signed-in'),
      fc.constantFrom(
        'signin/credentials',
        '_log',
        'verify-request',
        'callback/',
        'callback',
        '',
        'session/x',
      ),
      fc.webPath(),
    );
    const names = [
      sessionCookieName(),
      'next-auth.csrf-token',
      'next-auth.callback-url',
      'seckill-known',
      'seckill-device',
    ];
    const value = fc.oneof(
      text.map((each) => encodeURIComponent(each.toWellFormed())),
      fc.constantFrom(mine, mine.slice(0, -5), `${mine}x`, '%E0%A4%A', '|', 'a|b|c', 'x'.repeat(9_000)),
    );
    const cookie = fc
      .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 })
      .map((pairs) => pairs.map((pair) => pair.join('=')).join('; '));
    const query = fc.dictionary(
      fc.constantFrom('callbackUrl', 'error', 'to', 'locale', 'csrf', 'nextauth'),
      text,
    );
    const fields = fc.dictionary(
      fc.constantFrom('email', 'password', 'csrfToken', 'json', 'callbackUrl', 'locale', 'redirect'),
      fc.oneof(text, fc.jsonValue() as fc.Arbitrary<unknown>),
    );
    const type = fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data',
      '',
    );
    const body = fc.oneof(
      fields.map((each) => JSON.stringify(each)),
      fields.map((each) =>
        new URLSearchParams(
          Object.entries(each).map(([k, v]) => [k, typeof v === 'string' ? v : JSON.stringify(v)]),
        ).toString(),
      ),
      text.map((each) => each.toWellFormed()),
    );
    const from = fc.constantFrom(OUR_PAGE, {}, { origin: 'https://evil.test', host: 'localhost:3999' });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST'),
        anyPath,
        query,
        type,
        body,
        cookie,
        from,
        async (method, path, asked, contentType, sent, sentCookie, page) => {
          const search = new URLSearchParams(
            Object.entries(asked).map(([name, each]) => [name, each.toWellFormed()]),
          );
          const headers = {
            ...page,
            'content-type': contentType,
            cookie: sentCookie.replaceAll(/[^\x20-\x7e]/g, ''),
          };
          const answer = await ask(method as 'GET', `${path.replaceAll('\\', '/')}?${search}`, {
            headers,
            ...(method === 'POST' ? { body: sent } : {}),
          });
          const told = await answer.text();
          // On a busy machine 503 is a correct answer.
          if (answer.status !== 503) expect(answer.status, told).toBeLessThan(500);
          else expect(told).toContain('"UNAVAILABLE"');
          expect(told).not.toMatch(
            /is not a function|\b[A-Z]\w*Error\b|node_modules|Cannot read|next-auth\.js/,
          );
          const location = answer.headers.get('location');
          if (location !== null) expect(new URL(location, ORIGIN).origin).toBe(ORIGIN);
          if (location !== null) expect(location).toMatch(/^\/(?!\/)/);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});

describe('who is signed in', () => {
  it('[N3] is told as it stands now, not as the cookie says', async () => {
    const { id, email } = await makeAccount();
    const session = sessionOf(await ask('POST', CALLBACK, asJson({ email, password: PASSWORD }))) ?? '';
    await db().user.update({ where: { id }, data: { name: 'Another Name', level: 7 } });
    const answer = await ask('GET', 'session', { headers: { cookie: `${sessionCookieName()}=${session}` } });
    expect(await answer.json()).toEqual({
      user: { id, name: 'Another Name', email, role: 'shopper', level: 7 },
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});
