import type { RequestListener } from 'node:http';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answerOpenIdCallback } from '@/lib/access/answer-openid';
import { forgetSignIn, readSignIn, writeSignIn } from '@/lib/access/openid-cookie';
import { stopEmailChange } from '@/lib/access/stop-email-change';
import { signEmailChange } from '@/lib/account/email-change-token';
import { eraseAccount } from '@/lib/account/erase-account';
import { NO_PASSWORD } from '@/lib/account/hash-password';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids/new-id';
import { streamOwnData } from '@/lib/own-account/stream-own-data';
import { checkShop } from '@/lib/preflight/check-shop';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { startOpenIdServer } from '@/scripts/infra/openid-server-for-tests.mjs';
import { eventually } from '@/test/support/eventually';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount, makeVerified, PASSWORD } from '@/test/support/make-account';
import { makePasskey } from '@/test/support/make-passkey';
import { OpenIdBrowser } from '@/test/support/openid-browser';
import { type Rogue, startRogueOpenIdServer } from '@/test/support/start-rogue-openid-server';
import { POST as EMAIL_CHANGE } from '../account/email/route';
import { POST as REMOVE } from '../account/identities/[identityId]/remove/route';
import { POST as JOIN, GET as LIST } from '../account/identities/route';
import { POST as PASSWORD_CHANGE } from '../account/password/route';
import { GET as VISIT } from '../visit/route';
import { GET, POST } from './[...nextauth]/route';

const ORIGIN = 'http://localhost:3999';
const OUR_PAGE = { origin: ORIGIN, host: 'localhost:3999' };
const CLIENT = { clientId: 'shop', clientSecret: 'a-secret-of-the-shop:/+%' };
const mails = keepMailsApart();
let server: Awaited<ReturnType<typeof startOpenIdServer>>;

beforeAll(async () => {
  server = await startOpenIdServer({ ...CLIENT, redirectUris: [`${ORIGIN}/api/auth/callback/openid`] });
  Object.assign(process.env, {
    OIDC_ISSUER: server.issuer,
    OIDC_CLIENT_ID: CLIENT.clientId,
    OIDC_CLIENT_SECRET: CLIENT.clientSecret,
    OIDC_NAME: 'Example Login',
  });
});
beforeEach(() => cacheRedis().flushdb());
afterAll(async () => {
  await server.close();
  await Promise.all([closeRedis(), closeDb()]);
});

/** Asks the shop as a browser does. */
async function visit(browser: OpenIdBrowser, url: string, headers: Record<string, string> = {}) {
  const request = new Request(url, { headers: { ...headers, cookie: browser.cookie() } });
  const nextauth = new URL(url).pathname.replace('/api/auth/', '').split('/');
  return browser.keep(await GET(request, { params: Promise.resolve({ nextauth }) }));
}
const locationOf = (answer: Response) => answer.headers.get('location') ?? '';
async function post(browser: OpenIdBrowser, path: string, body: object, headers = OUR_PAGE as object) {
  const request = new Request(`${ORIGIN}/api/auth/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', cookie: browser.cookie() },
    body: JSON.stringify(body),
  });
  return browser.keep(await POST(request, { params: Promise.resolve({ nextauth: path.split('/') }) }));
}
/** Begins a sign-in. @returns the address of the other server */
async function begin(browser: OpenIdBrowser, wanted = {}) {
  const answer = await post(browser, 'signin/openid', wanted);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { url: string }).url;
}
/** Signs in from beginning to end. @returns where the shop leads, past the look at the cookies */
async function signIn(
  browser: OpenIdBrowser,
  person: Parameters<OpenIdBrowser['signInThere']>[1],
  wanted = {},
) {
  const back = await browser.signInThere(await begin(browser, wanted), person);
  expect(back).toMatch(/^http:\/\/localhost:3999\/api\/auth\/callback\/openid\?/);
  return follow(browser, await visit(browser, back));
}
async function follow(browser: OpenIdBrowser, answer: Response) {
  const next = locationOf(answer);
  return next.startsWith('/api/auth/') ? locationOf(await visit(browser, `${ORIGIN}${next}`)) : next;
}
async function whoIs(browser: OpenIdBrowser): Promise<string | undefined> {
  const answer = await visit(browser, `${ORIGIN}/api/auth/session`);
  return ((await answer.json()) as { user?: { id: string } }).user?.id;
}
const anAddress = () => `${newId('o')}@example.com`;
type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;
async function call(handler: unknown, browser: OpenIdBrowser, body?: object, params = {}) {
  const request = new Request(`${ORIGIN}/api/account/identities`, {
    method: body ? 'POST' : 'GET',
    headers: { ...OUR_PAGE, cookie: browser.cookie(), 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = browser.keep(await (handler as Handler)(request, { params: Promise.resolve(params) }));
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
/** Signs in by password. */
async function enter(email: string, password = PASSWORD, browser = new OpenIdBrowser()) {
  await post(browser, 'callback/credentials', { email, password });
  return browser;
}
/** Joins a sign-in of the other server to an account. */
async function join(browser: OpenIdBrowser, person: { email: string; sub?: string }) {
  const begun = await call(JOIN, browser, { currentPassword: PASSWORD, locale: 'zh-CN' });
  expect(begun).toMatchObject({ status: 200 });
  const back = await browser.signInThere(String(begun.body.url), person);
  return locationOf(await visit(browser, back));
}

describe('somebody who has signed in at the other server', () => {
  it('[N6] gets an account of a verified address, without a password, and comes back into the same one', async () => {
    const email = anAddress();
    const first = new OpenIdBrowser();
    const person = { email: email.toUpperCase(), name: ' Ada\u0007 Lovelace ', sub: `s-${email}` };
    expect(await signIn(first, person, { locale: 'zh-CN', callbackUrl: '/zh-CN/orders' })).toBe(
      '/zh-CN/orders',
    );
    const id = await whoIs(first);
    const user = await db().user.findUniqueOrThrow({ where: { id: id ?? '' } });
    expect(user).toMatchObject({ email, name: 'Ada Lovelace', locale: 'zh-CN', role: 'shopper' });
    expect([user.emailVerifiedAt, user.passwordHash === NO_PASSWORD]).toEqual([expect.any(Date), true]);
    // The account is that of the subject: another address there changes nothing.
    const second = new OpenIdBrowser();
    expect(await signIn(second, { email: anAddress(), verified: false, sub: person.sub })).toBe('/');
    expect(await whoIs(second)).toBe(id);
    expect(await whoIs(await enter(email, '!'))).toBeUndefined();
    expect(await whoIs(await enter(email, ''))).toBeUndefined();
  });

  it('[N6] at the same moment twice, gets one account', async () => {
    const email = anAddress();
    const browsers = [new OpenIdBrowser(), new OpenIdBrowser(), new OpenIdBrowser()];
    const backs = await Promise.all(
      browsers.map(async (browser) => browser.signInThere(await begin(browser), { email })),
    );
    await Promise.all(browsers.map((browser, at) => visit(browser, backs[at] ?? '')));
    const ids = await Promise.all(browsers.map(whoIs));
    expect(new Set(ids)).toEqual(new Set([expect.any(String)]));
    expect(await db().user.count({ where: { email } })).toBe(1);
  });

  it('[N6] without a verified address gets no account, and a sentence that says why', async () => {
    const email = anAddress();
    const browser = new OpenIdBrowser();
    expect(await signIn(browser, { email, verified: false }, { locale: 'zh-CN' })).toBe(
      '/zh-CN/signin?notice=server_unverified#server_unverified',
    );
    expect(await signIn(new OpenIdBrowser(), { email: 'no address' })).toContain('server_unverified');
    expect([await whoIs(browser), await db().user.count({ where: { email } })]).toEqual([undefined, 0]);
  });

  it.each([true, false])(
    '[N6] gets into no account by its address alone (verified here: %s), nor by another spelling of it',
    async (isVerified) => {
      const { id, email } = isVerified ? await makeVerified() : await makeAccount();
      for (const each of [email, ...(isVerified ? [email.replace('@', '+x@')] : [])]) {
        const browser = new OpenIdBrowser();
        expect(await signIn(browser, { email: each })).toBe('/signin?notice=server_exists#server_exists');
        expect(await whoIs(browser)).toBeUndefined();
      }
      expect(await db().identity.count({ where: { userId: id } })).toBe(0);
    },
  );

  it('[N6] is refused where the account is banned', async () => {
    const email = anAddress();
    const browser = new OpenIdBrowser();
    await signIn(browser, { email });
    await db().user.update({
      where: { email },
      data: { bannedAt: new Date(), sessionVersion: { increment: 1 } },
    });
    const again = new OpenIdBrowser();
    expect(await signIn(again, { email })).toBe('/signin?notice=server_refused#server_refused');
    expect(await whoIs(again)).toBeUndefined();
  });

  it('[N3 N6] is asked for the second factor, as after a password', async () => {
    const email = anAddress();
    await signIn(new OpenIdBrowser(), { email });
    await db().user.update({ where: { email }, data: { secondFactorAt: new Date() } });
    const browser = new OpenIdBrowser();
    expect(await signIn(browser, { email }, { callbackUrl: '/orders' })).toBe(
      '/second-step?callbackUrl=%2Forders',
    );
    expect(browser.cookie()).toContain('seckill-step=');
    expect(await whoIs(browser)).toBeUndefined();
  });

  it('[N6] who said no there is back at the sign-in page', async () => {
    const browser = new OpenIdBrowser();
    expect(await signIn(browser, null)).toBe('/signin');
    expect(await whoIs(browser)).toBeUndefined();
  });
});

describe('an answer of the other server', () => {
  it('[N6] counts once, in the browser in which the sign-in began, and for that sign-in alone', async () => {
    const [victim, thief] = [new OpenIdBrowser(), new OpenIdBrowser()];
    const email = anAddress();
    const back = await victim.signInThere(await begin(victim), { email });
    await begin(thief);
    const over = '/signin?notice=over#over';
    // Another browser's, and one that has begun nothing.
    expect(locationOf(await visit(thief, back))).toBe(over);
    expect(locationOf(await visit(new OpenIdBrowser(), back))).toBe(over);
    // A thief's code in the victim's sign-in: the state is right, the code is of another sign-in.
    const other = new OpenIdBrowser();
    const stolen = new URL(await other.signInThere(await begin(other), { email: anAddress() }));
    const mixed = new URL(back);
    mixed.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    const kept = victim.cookie();
    expect(locationOf(await visit(victim, mixed.href))).toBe('/signin?notice=server_failed#server_failed');
    expect(await whoIs(victim)).toBeUndefined();
    // And the same browser can't bring another answer for it, even with its cookie kept.
    const again = new Request(back, { headers: { cookie: kept } });
    const params = Promise.resolve({ nextauth: ['callback', 'openid'] });
    expect(locationOf(await GET(again, { params }))).toBe(over);
    expect(await db().user.count({ where: { email } })).toBe(0);
  });

  it.each(['https://evil.test', null])(
    '[N6] that names the issuer %s is refused, also with a right code (RFC 9207)',
    async (iss) => {
      const browser = new OpenIdBrowser();
      const back = new URL(await browser.signInThere(await begin(browser), { email: anAddress() }));
      expect(back.searchParams.get('iss')).toBe(server.issuer);
      if (iss) back.searchParams.set('iss', iss);
      else back.searchParams.delete('iss');
      expect(locationOf(await visit(browser, back.href))).toContain('server_failed');
      expect(await whoIs(browser)).toBeUndefined();
    },
  );

  it('[N6] with a cookie that was altered, has run out, or is rubbish begins nothing', async () => {
    const browser = new OpenIdBrowser();
    const back = await browser.signInThere(await begin(browser), { email: anAddress() });
    const [, value = ''] = /seckill-openid=([^;]+)/.exec(browser.cookie()) ?? [];
    for (const cookie of [`${value.slice(0, -2)}xx`, `x${value}`, '.', 'a.b', '%', 'x'.repeat(9_000)]) {
      const request = new Request(back, { headers: { cookie: `seckill-openid=${cookie}` } });
      const params = Promise.resolve({ nextauth: ['callback', 'openid'] });
      expect(locationOf(await GET(request, { params }))).toContain('notice=over');
    }
    const begun = { locale: 'en', callbackUrl: null, joinedBy: null } as const;
    const at = (ms: number) => readSignIn(writeSignIn('state', begun, 0).split(';', 1)[0] ?? '', 'state', ms);
    expect([at(600_000 - 1), at(600_000)]).toEqual([begun, null]);
    expect(forgetSignIn()).toMatch(/^seckill-openid=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/);
  });

  it('[N4 N6] that doesn’t hold costs its address growing waits, and one that holds costs nothing', async () => {
    const bring = async (code: string | null) => {
      const browser = new OpenIdBrowser();
      const address = await begin(browser);
      const state = new URL(address).searchParams.get('state');
      const url = code
        ? `${ORIGIN}/api/auth/callback/openid?state=${state}&iss=${server.issuer}&code=${code}`
        : await browser.signInThere(address, { email: anAddress() });
      const request = new Request(url, { headers: { cookie: browser.cookie() } });
      return locationOf(await answerOpenIdCallback(request, '198.51.100.7'));
    };
    for (let n = 0; n < 3; n += 1) expect(await bring(null)).toContain('/api/auth/signed-in');
    const guesses: string[] = [];
    for (let n = 0; n < 40 && !guesses.at(-1)?.includes('notice=wait'); n += 1)
      guesses.push(await bring('guess'));
    expect(guesses.length).toBeGreaterThan(20);
    expect(guesses.at(-1)).toMatch(/^\/signin\?notice=wait&wait=\d+/);
    expect(guesses.slice(0, -1).every((each) => each.includes('server_failed'))).toBe(true);
  });
});

describe('a server that misbehaves', () => {
  afterEach(() => pointAt(server.issuer));
  const pointAt = (issuer: string) => Object.assign(env().openId ?? {}, { issuer });

  /** Signs in there. @returns where the shop leads, or the code with which it does not even begin */
  async function comeBack(rogue: Rogue = {}) {
    const { issuer, asked, close } = await startRogueOpenIdServer({ ...CLIENT, ...rogue });
    pointAt(issuer);
    onTestFinished(close);
    const browser = new OpenIdBrowser();
    const answer = await post(browser, 'signin/openid', {});
    if (answer.status !== 200) return ((await answer.json()) as { code: string }).code;
    const { searchParams } = new URL(((await answer.json()) as { url: string }).url);
    asked.nonce = searchParams.get('nonce') ?? '';
    const back = `${ORIGIN}/api/auth/callback/openid?code=c&state=${searchParams.get('state')}`;
    const location = locationOf(await visit(browser, back));
    expect(await whoIs(browser)).toBeUndefined();
    return location;
  }

  const tellEmail = (sub: (asked: string) => string): Rogue['paths'] => ({
    '/me': (_, response) =>
      response.end(JSON.stringify({ sub: sub('somebody'), email: 'm@example.com', email_verified: false })),
  });

  it('[N6] is believed as long as it does everything right', async () => {
    expect(await comeBack({ claims: { email: 'a@example.com' } })).toContain('server_unverified');
    const claims = { sub: 'somebody', email: undefined };
    expect(await comeBack({ claims, paths: tellEmail((sub) => sub) })).toContain('server_unverified');
  });

  it.each<[string, Rogue]>([
    ['another nonce', { claims: { nonce: 'of another sign-in' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another issuer', { claims: { iss: 'https://evil.test' } }],
    ['another client', { claims: { aud: 'another' } }],
    ['several clients and no party', { claims: { aud: ['shop', 'another'] } }],
    ['another party', { claims: { azp: 'another' } }],
    ['an end that is over', { claims: { exp: Math.floor(Date.now() / 1_000) - 3_600 } }],
    ['no end', { claims: { exp: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['a subject that is too long', { claims: { sub: 'x'.repeat(256) } }],
    ['no signature', { alg: 'none' }],
    ['a signature by our own secret', { alg: 'HS256' }],
    [
      'an e-mail address of another person',
      { claims: { email: undefined }, paths: tellEmail(() => 'other') },
    ],
  ])('[N6] is refused for a token with %s', async (_, rogue) => {
    expect(await comeBack(rogue)).toBe('/signin?notice=server_failed#server_failed');
  });

  it('[N6] that calls itself by another issuer, and signs as that one, is refused', async () => {
    const issuer = 'https://evil.test';
    expect(await comeBack({ told: { issuer }, claims: { iss: issuer } })).toContain('server_failed');
    expect((await checkShop()).find(({ id }) => id === 'sign_in_server')?.reason).toBe('away');
  });

  it('[N6] holds no connection of ours for long, whatever it answers', async () => {
    let open = 0;
    const halfAnAnswer: RequestListener = (request, response) => {
      open += 1;
      request.socket.once('close', () => {
        open -= 1;
      });
      response.writeHead(200).write('{');
    };
    const { issuer, close } = await startRogueOpenIdServer({
      ...CLIENT,
      paths: { '/.well-known/openid-configuration': halfAnAnswer },
    });
    pointAt(issuer);
    onTestFinished(close);
    const begun = post(new OpenIdBrowser(), 'signin/openid', {});
    await eventually(() => expect(open).toBe(1));
    expect((await begun).status).toBe(503);
    await eventually(() => expect(open).toBe(0));
  });

  const nonsense: RequestListener = (_, response) => response.end('<html>');
  const halfAnAnswer: RequestListener = (_, response) => response.writeHead(200).write('{');
  const silence: RequestListener = () => {};
  it.each<[string, RequestListener]>([
    ['answers nonsense', nonsense],
    ['is out of order', (_, response) => response.writeHead(503).end()],
    ['says nothing', silence],
    ['never ends its answer', halfAnAnswer],
    ['drops the connection', (request) => request.socket.destroy()],
  ])('[N6] that %s leads to a plain sentence, and passwords go on', async (_, answer) => {
    const away = await comeBack({ paths: { '/.well-known/openid-configuration': answer } });
    expect(away).toBe('SIGN_IN_SERVER_AWAY');
    for (const path of ['/token', '/keys'])
      expect(await comeBack({ paths: { [path]: answer } })).toContain('server_failed');
    const { id, email } = await makeAccount();
    expect(await whoIs(await enter(email))).toBe(id);
  });
});

describe('the way to the other server and back', () => {
  it('[N6 N8] asks for a code with PKCE, state and nonce, and leads back to our public address only', async () => {
    const browser = new OpenIdBrowser();
    const asked = new URL(await begin(browser, { callbackUrl: 'https://evil.test' }));
    expect(asked.origin).toBe(server.issuer);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${ORIGIN}/api/auth/callback/openid`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    for (const target of [
      'https://evil.test/',
      '//evil.test',
      '/\\evil.test',
      'javascript:1',
      '/api/auth/csrf',
    ])
      expect(await signIn(new OpenIdBrowser(), { email: anAddress() }, { callbackUrl: target })).toBe('/');
  });

  it('[N8] begins on no other site', async () => {
    const browser = new OpenIdBrowser();
    const answer = await post(browser, 'signin/openid', {}, { 'sec-fetch-site': 'cross-site' });
    expect([answer.status, browser.cookie()]).toEqual([403, '']);
  });

  it('[N6] is named to the sign-in page', async () => {
    expect((await call(VISIT, new OpenIdBrowser())).body).toMatchObject({ signInServer: 'Example Login' });
    const browser = await enter((await makeVerified()).email);
    expect((await call(VISIT, browser)).body).toMatchObject({ signInServer: null });
  });
});

describe('the owner of an account', () => {
  it('[N6 N9] joins a sign-in by the password, and takes it away again; mail and log tell of both', async () => {
    const { id, email } = await makeVerified();
    const browser = await enter(email);
    const before = await enter(email);
    expect(await call(JOIN, browser, { currentPassword: 'wrong' })).toMatchObject({
      status: 403,
      body: { code: 'PASSWORD_WRONG' },
    });
    expect(await join(browser, { email: anAddress(), sub: `j-${id}` })).toBe(
      '/zh-CN/account/sign-in?joining=joined#identities',
    );
    expect([await whoIs(browser), await whoIs(before)]).toEqual([id, undefined]);
    const [there, elsewhere] = [new OpenIdBrowser(), await enter(email)];
    expect(await signIn(there, { email: 'x@example.com', verified: false, sub: `j-${id}` })).toBe('/');
    expect(await whoIs(there)).toBe(id);
    const listed = await call(LIST, browser);
    expect(listed.body).toEqual({
      hasPassword: true,
      offered: null,
      identities: [{ identityId: expect.any(String), name: 'Example Login', addedAt: expect.any(Number) }],
    });
    expect((await call(JOIN, browser, { currentPassword: PASSWORD })).body.code).toBe('IDENTITY_EXISTS');
    const [{ identityId } = { identityId: '' }] = listed.body.identities as { identityId: string }[];
    const stranger = await enter((await makeVerified()).email);
    const asked = { currentPassword: PASSWORD };
    expect((await call(REMOVE, stranger, asked, { identityId })).body.code).toBe('IDENTITY_NOT_FOUND');
    expect((await call(REMOVE, browser, { currentPassword: 'wrong' }, { identityId })).status).toBe(403);
    expect(await call(REMOVE, browser, asked, { identityId })).toEqual({
      status: 200,
      body: { removed: true },
    });
    // All sessions but the one that asked have ended.
    expect([await whoIs(browser), await whoIs(there), await whoIs(elsewhere)]).toEqual([
      id,
      undefined,
      undefined,
    ]);
    expect(await signIn(new OpenIdBrowser(), { email, sub: `j-${id}` })).toContain('server_exists');
    expect(await mails.only(`identityJoined-${id}`)).toContain('Example Login signs in to your account');
    await mails.only(`identityRemoved-${id}`);
    const logged = await db().auditEntry.findMany({
      where: { subjectId: id, actorId: id },
      orderBy: { id: 'asc' },
    });
    expect(logged.map(({ action }) => action).filter((each) => each.includes('identity'))).toEqual([
      'user.join_identity',
      'user.remove_identity',
    ]);
  });

  it('[N6] with an address that is not verified here joins none: whoever registered it first may be somebody else', async () => {
    const { email } = await makeAccount();
    const browser = await enter(email);
    expect((await call(JOIN, browser, { currentPassword: PASSWORD })).body.code).toBe('ADDRESS_UNVERIFIED');
  });

  it('[N5 N6] shows the second factor, too, to join or to remove one', async () => {
    const { id, email } = await makeVerified();
    const browser = await enter(email);
    await makePasskey(id);
    await db().user.update({ where: { id }, data: { secondFactorAt: new Date() } });
    const asked = { currentPassword: PASSWORD };
    expect((await call(JOIN, browser, asked)).body.code).toBe('FACTOR_CODE_WRONG');
    const identityId = newId('identity');
    await db().identity.create({
      data: { id: identityId, userId: id, issuer: 'https://a.test', subject: id },
    });
    expect((await call(REMOVE, browser, asked, { identityId })).body.code).toBe('FACTOR_CODE_WRONG');
    expect((await call(LIST, browser)).body.identities).toMatchObject([{ identityId, name: 'a.test' }]);
  });

  it('[N6] keeps the only way in until there is a password', async () => {
    const email = anAddress();
    const browser = new OpenIdBrowser();
    await signIn(browser, { email });
    const listed = await call(LIST, browser);
    expect(listed.body).toMatchObject({ hasPassword: false });
    const [{ identityId } = { identityId: '' }] = listed.body.identities as { identityId: string }[];
    for (const currentPassword of ['', '!'])
      expect((await call(REMOVE, browser, { currentPassword }, { identityId })).body.code).toBe(
        'NO_PASSWORD',
      );
    const currentPassword = '!';
    const changed = await call(PASSWORD_CHANGE, browser, {
      currentPassword,
      newPassword: 'mine now, all mine',
    });
    expect(changed.body.code).toBe('NO_PASSWORD');
    const moved = await call(EMAIL_CHANGE, browser, { currentPassword, newEmail: anAddress() });
    expect(moved.body.code).toBe('NO_PASSWORD');
  });

  it('[N6] of one sign-in can’t be given it to a second account, nor in another session than began to', async () => {
    const [one, two] = [await makeVerified(), await makeVerified()];
    const sub = newId('sub');
    const browser = await enter(one.email);
    expect(await join(browser, { email: anAddress(), sub })).toContain('joining=joined');
    const second = await enter(two.email);
    expect(await join(second, { email: anAddress(), sub })).toContain('joining=taken');
    // Begun by one person, and brought back by another who uses the same browser now.
    const begun = await call(JOIN, second, { currentPassword: PASSWORD });
    const back = await second.signInThere(String(begun.body.url), {
      email: anAddress(),
      sub: newId('sub'),
    });
    await enter(one.email, PASSWORD, second);
    expect(locationOf(await visit(second, back))).toContain('joining=signed_out');
    expect(await db().identity.count({ where: { userId: two.id } })).toBe(0);
    expect(second.cookie()).toContain(sessionCookieName());
  });

  it('[N2 N6] finds it in their file, and it goes with the account: then the same person begins anew', async () => {
    const email = anAddress();
    const browser = new OpenIdBrowser();
    await signIn(browser, { email, sub: `d-${email}` });
    const id = (await whoIs(browser)) ?? '';
    const pieces: Uint8Array[] = [];
    for await (const piece of streamOwnData(id)) pieces.push(piece);
    const file = unzipSync(new Uint8Array(Buffer.concat(pieces)))['identities.json'] as Uint8Array;
    expect(JSON.parse(strFromU8(file))).toEqual([
      { server: server.issuer, subject: `d-${email}`, addedAt: expect.any(String) },
    ]);
    await transaction(async (tx) => {
      await tx.user.update({ where: { id }, data: { bannedAt: new Date() } });
      await eraseAccount(tx, id);
    });
    expect(await db().identity.count({ where: { userId: id } })).toBe(0);
    const again = new OpenIdBrowser();
    expect(await signIn(again, { email, sub: `d-${email}` })).toBe('/');
    expect(await whoIs(again)).not.toBe(id);
  });

  it('[N3 N6] who stops a change of address also removes what a thief has joined, and not what is older', async () => {
    const user = await makeVerified();
    const change = {
      userId: user.id,
      sessionId: 'session_x',
      sessionVersion: user.sessionVersion,
      oldEmail: user.email,
      newEmail: anAddress(),
      expiresAt: new Date(Date.now() + 60_000),
      undoUntil: new Date(Date.now() + 60_000),
    };
    const id = newId('change');
    await db().emailChange.create({ data: { id, ...change } });
    const joinedAt = (hoursAgo: number, issuer: string) =>
      db().identity.create({
        data: {
          id: newId('identity'),
          userId: user.id,
          issuer,
          subject: user.id,
          createdAt: new Date(Date.now() - hoursAgo * 3_600_000),
        },
      });
    await Promise.all([joinedAt(1, 'https://thief.test'), joinedAt(48, 'https://mine.test')]);
    const caller = { address: null, headers: new Headers() };
    expect(await stopEmailChange(signEmailChange('stop', id), caller)).toMatchObject({ status: 'stopped' });
    const left = await db().identity.findMany({ where: { userId: user.id }, select: { issuer: true } });
    expect(left).toEqual([{ issuer: 'https://mine.test' }]);
  });
});
