import { createHash, createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { env } from '@/lib/env';
import { readCookie } from '@/lib/http/read-cookie';
import type { Binding } from '@/lib/open-id/create-provider';
import { isSameText, purposeKeys } from '@/lib/purpose-keys';

/** How long signing in at the other server may take. */
export const FLOW_LIFETIME_MS = 10 * 60_000;
/** A longer page to go to is forgotten: browsers don't keep longer cookies. */
const MAX_TARGET_LENGTH = 1_000;
const MAX_COOKIE_LENGTH = 4_096;
const FORMAT = /^([\w-]{1,3800})\.([\w-]{43})$/;

const flow = z.object({
  id: z.string(),
  expiresAt: z.number(),
  issuer: z.string(),
  locale: z.enum(routing.locales),
  /** The page of ours to go to afterwards. */
  callbackUrl: z.string().nullable(),
  /** The session that joins a sign-in to its account; null: somebody signs in. */
  link: z.object({ userId: z.string(), sessionId: z.string() }).nullable(),
});

/** A sign-in by another server that has begun in a browser. */
export type OpenIdFlow = z.output<typeof flow>;

/** Bound to this host, and to HTTPS wherever the shop is served over it. */
const cookieName = (): string => (env().isHttps ? '__Host-seckill-openid' : 'seckill-openid');
const attributes = (maxAgeSec: number) =>
  `Path=/; Max-Age=${maxAgeSec}; HttpOnly; SameSite=Lax${env().isHttps ? '; Secure' : ''}`;

/** Begins a sign-in by another server. A later one in the same browser takes its place. */
export function newFlow(of: Omit<OpenIdFlow, 'id' | 'expiresAt'>, nowMs = Date.now()): OpenIdFlow {
  const callbackUrl = (of.callbackUrl ?? '').length > MAX_TARGET_LENGTH ? null : of.callbackUrl;
  return {
    ...of,
    callbackUrl,
    id: randomBytes(24).toString('base64url'),
    expiresAt: nowMs + FLOW_LIFETIME_MS,
  };
}

/** Builds the `Set-Cookie` header by which a browser brings its sign-in back. */
export function writeFlow(begun: OpenIdFlow): string {
  const text = Buffer.from(JSON.stringify(begun)).toString('base64url');
  return `${cookieName()}=${text}.${derive('flow', text)}; ${attributes(FLOW_LIFETIME_MS / 1_000)}`;
}

/** Makes a `Set-Cookie` header that makes a browser forget its sign-in. */
export const forgetFlow = (): string => `${cookieName()}=; ${attributes(0)}`;

/** Reads the sign-in that a browser has begun; null: none, or it has run out. */
export function readFlow(header: string | null, nowMs = Date.now()): OpenIdFlow | null {
  const cookie = readCookie(header, cookieName()) ?? '';
  const [, text = '', signature = ''] = cookie.length > MAX_COOKIE_LENGTH ? [] : (FORMAT.exec(cookie) ?? []);
  const isOurs = keys('flow').some((key) => isSameText(sign(key, text), signature));
  if (!isOurs) return null;
  const begun = flow.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  return nowMs < begun.expiresAt ? begun : null;
}

/**
 * Returns what binds a sign-in to its browser. Derived from the id in the cookie, so that the cookie need not hold it: not
 * even the browser knows the verifier.
 */
export function bindingOf({ id }: OpenIdFlow): Binding & { challenge: string } {
  const verifier = derive('verifier', id);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { state: derive('state', id), nonce: derive('nonce', id), verifier, challenge };
}

const keys = (what: string) => purposeKeys(`openid ${what}`);
const sign = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url');

function derive(what: string, text: string): string {
  const [key] = keys(what);
  if (!key) throw new Error('ENTRY_SECRET holds no key');
  return sign(key, text);
}
