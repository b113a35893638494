import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const MAX_SKEW_MS = 5 * 60 * 1000;

const withoutPrefix = (signingKey: string) => signingKey.replace(/^signkey-\w+-/, '');

const hmac = (text: string, signingKey: string, seconds: string) =>
  createHmac('sha256', withoutPrefix(signingKey)).update(text).update(seconds).digest('hex');

/** Compares two strings of any length in constant time. */
export function equalSecrets(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * Returns the value of `X-Inngest-Signature` for a body, as the SDK makes and checks it.
 * @param text the body as sent; JSON must be canonical (RFC 8785), because the SDK canonicalizes before it compares.
 */
export function sign(text: string, signingKey: string): string {
  const seconds = Math.floor(Date.now() / 1000).toString();
  return `t=${seconds}&s=${hmac(text, signingKey, seconds)}`;
}

/** Tells whether `header` signs `text` with the key and is at most 5 minutes old. */
export function isSignedBy(header: string | null, text: string, signingKey: string): boolean {
  const params = new URLSearchParams(header ?? '');
  const seconds = params.get('t') ?? '';
  const isFresh = Math.abs(Date.now() - Number(seconds) * 1000) <= MAX_SKEW_MS;
  return seconds !== '' && isFresh && equalSecrets(params.get('s') ?? '', hmac(text, signingKey, seconds));
}

/**
 * Returns the bearer token that the SDK registers with: the signing key, with its hex part replaced by the SHA-256 of
 * those bytes.
 */
export function bearerToken(signingKey: string): string {
  const prefix = signingKey.match(/^signkey-\w+-/)?.[0] ?? '';
  return `${prefix}${createHash('sha256')
    .update(Buffer.from(withoutPrefix(signingKey), 'hex'))
    .digest('hex')}`;
}
