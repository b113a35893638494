import 'server-only';
import * as http from 'node:http';
import * as https from 'node:https';
import type { User } from 'next-auth';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import { env } from '@/lib/env';
import { hostCookie } from '@/lib/host-cookie';

/** The cookies in which NextAuth keeps a sign-in that is under way, by NextAuth's own names for them. */
export const OPENID_COOKIES = {
  state: hostCookie('seckill-openid-state'),
  nonce: hostCookie('seckill-openid-nonce'),
  pkceCodeVerifier: hostCookie('seckill-openid-verifier'),
};

/** One request to the server takes no longer than this. */
const LONGEST_REQUEST_MS = 3_000;

/** The address of ours to which the sign-in server sends browsers back, whatever name a request used. */
const openIdReturn = (): string => new URL('/api/auth/callback/openid', env().publicUrl).href;

/** Returns the address at which a server describes itself (OpenID Connect Discovery 1.0). */
export const openIdAddress = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** The server's statements about a person, as checked by `openid-client`: signature, issuer, client, time, nonce. */
export type Claims = { sub: string } & Record<string, unknown>;

/**
 * Makes NextAuth's provider for the shop's sign-in server: authorization code with PKCE, state and nonce. A statement by
 * another issuer than the one of the settings is refused.
 */
export function openIdProvider(settings: {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
}): OAuthConfig<Claims> {
  const { issuer, clientId, clientSecret, name } = settings;
  return {
    id: 'openid',
    name,
    type: 'oauth',
    wellKnown: openIdAddress(issuer),
    clientId,
    clientSecret,
    checks: ['pkce', 'state', 'nonce'],
    authorization: { params: { scope: 'openid email profile', redirect_uri: openIdReturn() } },
    token: {
      request: async ({ client, params, checks }) => ({
        tokens: await client.callback(openIdReturn(), params, checks),
      }),
    },
    userinfo: {
      async request({ client, tokens }) {
        const checked = tokens as Exclude<Parameters<typeof client.userinfo>[0], string>;
        const { iss, ...claims } = checked.claims();
        if (iss !== issuer) throw new Error('the sign-in server calls itself by another issuer');
        // `userinfo` refuses an answer about another person.
        const more = claims.email === undefined ? await client.userinfo(checked) : {};
        return { ...more, ...claims };
      },
    },
    profile: ({ sub }) => ({ id: sub }) as User,
    httpOptions: { timeout: LONGEST_REQUEST_MS, agent: agentFor(issuer) },
  };
}

/**
 * Returns an agent whose connections end in time. The timeout of `openid-client` ends with the first byte of an answer, so a
 * server could go on answering for ever. For an issuer with https it refuses http.
 */
function agentFor(issuer: string): http.Agent {
  const agent = issuer.startsWith('https:') ? new https.Agent() : new http.Agent();
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const socket = connect(...args);
    const timer = setTimeout(() => socket?.destroy(new Error('took too long')), LONGEST_REQUEST_MS);
    socket?.once('close', () => clearTimeout(timer));
    return socket;
  };
  return agent;
}
