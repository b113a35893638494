import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { hostCookie } from '@/lib/host-cookie';
import { sealFor } from '@/lib/purpose-seal';

/** Signing in at the sign-in server may take this long. NextAuth keeps its own cookies a little longer. */
const LIFETIME_MS = 10 * 60_000;

const signInSchema = z.object({
  locale: z.enum(routing.locales),
  callbackUrl: z.string().nullable(),
  /** The session that joins the sign-in server to its account; null: somebody signs in. */
  joinedBy: z.string().nullable(),
  expiresAt: z.number(),
});

/** A sign-in by OpenID Connect that a browser has begun. */
export type BegunSignIn = Omit<z.output<typeof signInSchema>, 'expiresAt'>;

const { sealSecret, openSecret } = sealFor('openid sign-in');

const cookie = hostCookie('seckill-openid');

/**
 * Builds the `Set-Cookie` header that keeps a sign-in which has begun, sealed. A later one in the same browser takes its place.
 * @param state of the sign-in: no answer to another one opens it
 */
export function writeSignIn(state: string, begun: BegunSignIn, nowMs = Date.now()): string {
  const text = JSON.stringify({ ...begun, expiresAt: nowMs + LIFETIME_MS });
  const { keyMark, sealedSecret } = sealSecret(state, text);
  return cookie.write(`${keyMark}.${sealedSecret}`, LIFETIME_MS);
}

/** Builds the `Set-Cookie` header that makes a browser forget it. */
export const forgetSignIn = cookie.forget;

/** Reads the sign-in that a browser has begun with this state; null: none, or it has expired. */
export function readSignIn(header: string | null, state: string, nowMs = Date.now()): BegunSignIn | null {
  const [keyMark = '', sealedSecret = ''] = cookie.read(header).split('.');
  const text = openSecret(state, { keyMark, sealedSecret });
  if (text === null) return null;
  const { expiresAt, ...begun } = signInSchema.parse(JSON.parse(text));
  return nowMs < expiresAt ? begun : null;
}
