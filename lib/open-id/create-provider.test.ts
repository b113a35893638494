import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createProvider } from './create-provider';
import { OpenIdError } from './types';

type Keys = { privateKey: Parameters<SignJWT['sign']>[0]; jwk: object };
type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const BINDING = { state: 's', nonce: 'the-nonce', verifier: 'v'.repeat(43) };
const RETURN = 'https://shop.example/api/auth/callback/openid';
const SECRET = 'a-secret-of-the-shop';
const closes: (() => Promise<unknown>)[] = [];
let keys: Keys;
let otherKeys: Keys;

async function makeKeys(kid: string): Promise<Keys> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}
beforeAll(async () => {
  [keys, otherKeys] = await Promise.all([makeKeys('one'), makeKeys('two')]);
});
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

async function listen(answer: Answer): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    answer(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closes.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Asked = { path: string; body: string; authorization: string | undefined };
type Rogue = {
  /** Replaces the answer of a path. */
  paths?: Record<string, Answer>;
  /** Replaces fields of the description. */
  told?: Record<string, unknown>;
  claims?: JWTPayload;
  /** Makes the whole ID token. */
  token?: (issuer: string) => Promise<string> | string;
};

/** Starts a server that does everything right, but for what a test wants of it. */
async function start({ paths = {}, told = {}, claims = {}, token }: Rogue = {}) {
  const asked: Asked[] = [];
  const served = { keys: [keys.jwk] };
  const issuer: string = await listen(async (request, response, body) => {
    const path = request.url ?? '';
    asked.push({ path, body, authorization: request.headers.authorization });
    const json = (data: object) => response.end(JSON.stringify(data));
    const other = paths[path];
    if (other) return other(request, response, body);
    if (path === '/.well-known/openid-configuration')
      return json({
        issuer,
        authorization_endpoint: `${issuer}/auth?prompt=login`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/me`,
        ...told,
      });
    if (path === '/keys') return json(served);
    if (path === '/token')
      return json({
        access_token: 'access',
        id_token: await (token?.(issuer) ?? sign(issuer, claims)),
      });
    response.statusCode = 404;
    response.end();
  });
  const settings = { issuer, clientId: 'shop', clientSecret: SECRET, name: 'Rogue' };
  const provider = createProvider(settings);
  return { issuer, asked, served, provider, finish: () => provider.finish('code', BINDING, RETURN) };
}

const rightClaims = (issuer: string): JWTPayload => ({
  iss: issuer,
  aud: 'shop',
  sub: 'somebody',
  nonce: BINDING.nonce,
  iat: Math.floor(Date.now() / 1_000),
  exp: Math.floor(Date.now() / 1_000) + 300,
  email: 'Somebody@Example.com',
  email_verified: true,
  name: 'Some Body',
});
/** Signs right claims with some changed; `undefined` leaves one out. */
const sign = (issuer: string, changed: JWTPayload = {}, by = keys, kid = 'one') =>
  new SignJWT({ ...rightClaims(issuer), ...changed })
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(by.privateKey);
const trouble = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    (error: unknown) => (error instanceof OpenIdError ? error.trouble : error),
  );
const now = () => Math.floor(Date.now() / 1_000);

describe('a server that signs people in', () => {
  it('[N6] is given the code with our secret and the verifier, and believed for a token that holds', async () => {
    const { issuer, asked, finish } = await start();
    expect(await finish()).toEqual({
      issuer,
      subject: 'somebody',
      email: 'somebody@example.com',
      isEmailVerified: true,
      name: 'Some Body',
    });
    const redeemed = asked.find(({ path }) => path === '/token');
    expect(Object.fromEntries(new URLSearchParams(redeemed?.body))).toEqual({
      grant_type: 'authorization_code',
      code: 'code',
      redirect_uri: RETURN,
      code_verifier: BINDING.verifier,
    });
    expect(redeemed?.authorization).toBe(`Basic ${Buffer.from(`shop:${SECRET}`).toString('base64')}`);
    await finish();
    expect(asked.filter(({ path }) => path.includes('known') || path === '/keys')).toHaveLength(2);
  });

  it('[N6] that takes the secret in the form alone gets it there', async () => {
    const { asked, finish } = await start({
      told: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
    });
    await finish();
    const { body, authorization } = asked.find(({ path }) => path === '/token') as Asked;
    expect([new URLSearchParams(body).get('client_secret'), authorization]).toEqual([SECRET, undefined]);
  });

  it('[N6] is asked about the person where the token says no address, and believed for the same person alone', async () => {
    const tells =
      (sub: string): Answer =>
      (request, response) =>
        response.end(
          JSON.stringify({
            sub,
            email: 'a@example.com',
            email_verified: request.headers.authorization === 'Bearer access',
          }),
        );
    const claims = { email: undefined };
    const same = await start({ claims, paths: { '/me': tells('somebody') } });
    expect(await same.finish()).toMatchObject({ email: 'a@example.com', isEmailVerified: true });
    const other = await start({ claims, paths: { '/me': tells('somebody else') } });
    expect(await trouble(other.finish())).toBe('failed');
  });

  it.each<[string, Rogue]>([
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another issuer', { claims: { iss: 'https://evil.test' } }],
    ['another audience', { claims: { aud: 'another' } }],
    ['several audiences and no party', { claims: { aud: ['shop', 'another'] } }],
    ['another party', { claims: { azp: 'another' } }],
    ['an end that is over', { claims: { exp: now() - 3_600 } }],
    ['no end', { claims: { exp: undefined } }],
    ['a beginning long ago', { claims: { iat: now() - 3_600 } }],
    ['a beginning to come', { claims: { iat: now() + 3_600 } }],
    ['no subject', { claims: { sub: undefined } }],
    ['a subject that is too long', { claims: { sub: 'x'.repeat(256) } }],
    ['no signature', { token: (issuer) => new UnsecuredJWT(rightClaims(issuer)).encode() }],
    [
      'a signature by our own secret',
      {
        token: (issuer) =>
          new SignJWT(rightClaims(issuer))
            .setProtectedHeader({ alg: 'HS256' })
            .sign(new TextEncoder().encode(SECRET.padEnd(32))),
      },
    ],
    ['a signature by another key of the same name', { token: (issuer) => sign(issuer, {}, otherKeys) }],
    ['a signature by an unknown key', { token: (issuer) => sign(issuer, {}, otherKeys, 'two') }],
    ['nonsense', { token: () => 'a.b.c' }],
    ['an endless token', { token: () => 'x'.repeat(20_000) }],
  ])('[N6] is believed for no token with %s', async (_, rogue) => {
    const { finish } = await start(rogue);
    expect(await trouble(finish())).toBe('failed');
  });

  it('[N6] with a new key is asked for its keys again, but not by each of many', async () => {
    const given = await start({ token: (issuer) => sign(issuer, {}, otherKeys, 'two') });
    given.served.keys.push(otherKeys.jwk);
    expect(await given.finish()).toMatchObject({ subject: 'somebody' });
    const rogue = await start({ token: (issuer) => sign(issuer, {}, otherKeys, 'two') });
    for (let n = 0; n < 5; n += 1) expect(await trouble(rogue.finish())).toBe('failed');
    expect(rogue.asked.filter(({ path }) => path === '/keys')).toHaveLength(1);
  });

  it.each<[string, Rogue]>([
    ['calls itself another', { told: { issuer: 'https://evil.test' } }],
    ['wants codes at a plain address elsewhere', { told: { token_endpoint: 'http://evil.test/token' } }],
    ['sends people to a script', { told: { authorization_endpoint: 'javascript:alert(1)' } }],
    ['names no keys', { told: { jwks_uri: undefined } }],
    ['refuses the code', { paths: { '/token': (_, response) => response.writeHead(400).end('{}') } }],
    ['gives no token', { paths: { '/token': (_, response) => response.end('{}') } }],
    ['tells nonsense', { paths: { '/token': (_, response) => response.end('<html>') } }],
    ['has keys that are none', { paths: { '/keys': (_, response) => response.end('{"keys":7}') } }],
  ])('[N6] that %s is not believed', async (_, rogue) => {
    const { finish } = await start(rogue);
    expect(await trouble(finish())).toBe('failed');
  });

  it.each<[string, string, Answer]>([
    ['fails', '/token', (_, response) => response.writeHead(503).end()],
    ['breaks off', '/token', (_, response) => response.destroy()],
    ['never ends', '/token', (_, response) => response.write('{"id_token":')],
    ['says nothing', '/keys', () => {}],
    ['says far too much', '/token', (_, response) => response.end(`"${'x'.repeat(1_000_000)}"`)],
    [
      'leads elsewhere',
      '/token',
      (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    ],
  ])('[N6] that %s (%s) counts as away within seconds', async (_, path, answer) => {
    const { finish } = await start({ paths: { [path]: answer } });
    const from = performance.now();
    expect(await trouble(finish())).toBe('away');
    expect(performance.now() - from).toBeLessThan(20_000);
  });

  it('[N6] that is away is not asked by each of a crowd', async () => {
    let times = 0;
    const count: Answer = (_, response) => {
      times += 1;
      response.writeHead(500).end();
    };
    const { provider } = await start({ paths: { '/.well-known/openid-configuration': count } });
    const crowd = Array.from({ length: 100 }, () => trouble(provider.begin(BINDING, 'c', RETURN)));
    expect(new Set(await Promise.all(crowd))).toEqual(new Set(['away']));
    expect(times).toBe(1);
  });

  it('[N6] that is slow keeps fifty waiting, and no more', async () => {
    let waiting = 0;
    const { finish } = await start({
      paths: {
        '/token': () => {
          waiting += 1;
        },
      },
    });
    const results = await Promise.all(Array.from({ length: 200 }, () => trouble(finish())));
    expect(new Set(results)).toEqual(new Set(['away']));
    expect(waiting).toBeLessThanOrEqual(50);
  });

  it('[N6] is the only one whose answers count: two servers can’t be mixed up (RFC 9207)', async () => {
    const [one, two] = [
      await start({ told: { authorization_response_iss_parameter_supported: true } }),
      await start(),
    ];
    expect(await one.provider.isFrom(one.issuer)).toBe(true);
    expect(await one.provider.isFrom(two.issuer)).toBe(false);
    expect(await one.provider.isFrom(null)).toBe(false);
    // A server that does not name itself in answers is known by the address to which it sends people alone.
    expect([await two.provider.isFrom(null), await two.provider.isFrom(one.issuer)]).toEqual([true, false]);
    // The one's token is of no use to who believes the other.
    const mixed = await start({ token: () => sign(one.issuer) });
    expect(await trouble(mixed.finish())).toBe('failed');
  });

  it('[N6] keeps the query of its own address', async () => {
    const { issuer, provider } = await start();
    const address = new URL(await provider.begin(BINDING, 'challenge', RETURN));
    expect(address.href.startsWith(`${issuer}/auth?prompt=login&client_id=shop&`)).toBe(true);
  });
});
