import 'server-only';
import { errors, type JSONWebKeySet } from 'jose';
import { z } from 'zod';
import { askProvider } from './ask-provider';
import { checkIdToken } from './check-id-token';
import { discover, type Metadata } from './discover';
import { isComplete, readIdentity } from './read-identity';
import { remembered } from './remembered';
import { type Identity, OpenIdError, type OpenIdSettings } from './types';

/** How long what a server says about itself, and its keys, are believed. */
const KEEP_MS = 600_000;
const FAIL_MS = 2_000;
/** A token signed by a key we don't know yet makes us read the keys again, at most this often. */
const KEYS_AGAIN_MS = 10_000;
/** How many sign-ins of this process may wait for the server. A slow one must not fill the shop with requests. */
const MOST_AT_ONCE = 50;

/** What binds a sign-in to the browser in which it began. All are random. */
export type Binding = { state: string; nonce: string; verifier: string };

export type OpenIdProvider = {
  settings: OpenIdSettings;
  /** Returns the address of the server where a browser signs in. @throws OpenIdError */
  begin: (binding: Binding, challenge: string, redirectUri: string) => Promise<string>;
  /**
   * Tells whether an answer may come from this server (RFC 9207): another one's code must not be given to it.
   * @param iss as the answer names it; null: it doesn't
   */
  isFrom: (iss: string | null) => Promise<boolean>;
  /** Learns for a code who signed in. @throws OpenIdError */
  finish: (code: string, binding: Binding, redirectUri: string) => Promise<Identity>;
};

const tokens = z.object({
  id_token: z.string().max(16_384),
  access_token: z.string().max(16_384).optional(),
});
const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(100) });

/** Makes a client of one server: authorization code with PKCE, state and nonce. It remembers what the server says about itself. */
export function createProvider(settings: OpenIdSettings): OpenIdProvider {
  const { issuer, clientId } = settings;
  const self = remembered(() => discover(issuer), { keepMs: KEEP_MS, failMs: FAIL_MS });
  const keys = remembered(async () => readKeys(await self.get()), { keepMs: KEEP_MS, failMs: FAIL_MS });
  let atOnce = 0;

  async function checkToken(token: string, nonce: string) {
    const expected = { issuer, clientId, nonce };
    try {
      return await checkIdToken(token, await keys.get(), expected);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    // The server may have a new key.
    if (performance.now() - keys.loadedAt() > KEYS_AGAIN_MS) keys.forget();
    return checkIdToken(token, await keys.get(), expected).catch((error: unknown) => {
      throw error instanceof OpenIdError ? error : new OpenIdError('failed', 'an ID token of an unknown key');
    });
  }

  async function identify(code: string, { nonce, verifier }: Binding, redirectUri: string) {
    const told = await self.get();
    const granted = await redeem(told, settings, { code, verifier, redirectUri });
    const claims = await checkToken(granted.id_token, nonce);
    const more =
      isComplete(claims) || !told.userinfo_endpoint || !granted.access_token
        ? claims
        : await readUserInfo(told.userinfo_endpoint, granted.access_token, claims.sub);
    return readIdentity(issuer, claims.sub, more);
  }

  return {
    settings,
    async begin({ state, nonce }, challenge, redirectUri) {
      const address = new URL((await self.get()).authorization_endpoint);
      const query = {
        client_id: clientId,
        response_type: 'code',
        scope: 'openid email profile',
        redirect_uri: redirectUri,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
      return address.href;
    },
    async isFrom(iss) {
      if (iss !== null) return iss === issuer;
      return (await self.get()).authorization_response_iss_parameter_supported !== true;
    },
    async finish(code, binding, redirectUri) {
      if (atOnce >= MOST_AT_ONCE) throw new OpenIdError('away', 'too many sign-ins wait for the server');
      atOnce += 1;
      try {
        return await identify(code, binding, redirectUri);
      } finally {
        atOnce -= 1;
      }
    },
  };
}

async function readKeys({ jwks_uri }: Metadata): Promise<JSONWebKeySet> {
  const { status, body } = await askProvider(jwks_uri);
  const read = keySet.safeParse(body);
  if (status !== 200 || !read.success) throw new OpenIdError('failed', `no keys, status ${status}`);
  return read.data as unknown as JSONWebKeySet;
}

/** Gives the server a code, with our secret and the verifier of PKCE (RFC 7636). */
async function redeem(
  { token_endpoint, token_endpoint_auth_methods_supported: methods }: Metadata,
  { clientId, clientSecret }: OpenIdSettings,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<z.output<typeof tokens>> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  // `client_secret_basic` is meant where a server names nothing.
  if (methods && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')) {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  } else {
    const pair = [clientId, clientSecret].map(formEncoded).join(':');
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  const { status, body } = await askProvider(token_endpoint, {
    method: 'POST',
    headers,
    body: form.toString(),
  });
  const read = tokens.safeParse(body);
  if (status !== 200 || !read.success) throw new OpenIdError('failed', `no tokens, status ${status}`);
  return read.data;
}

/** RFC 6749, 2.3.1: both are encoded as in a form before they are joined. */
const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

/** What the server tells about the person whose ID token it gave, where the token itself doesn't. */
async function readUserInfo(url: string, accessToken: string, subject: string): Promise<unknown> {
  const { status, body } = await askProvider(url, { headers: { authorization: `Bearer ${accessToken}` } });
  const sub = (body as { sub?: unknown } | null | undefined)?.sub;
  if (status !== 200 || sub !== subject)
    throw new OpenIdError('failed', `no claims of this person, status ${status}`);
  return body;
}
