import { isLinkSigned, signLink } from './link-signature';

const LIFETIME_MS = 24 * 3600 * 1000;
const FORMAT = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15})\.([\w-]{43})$/;

/** Signs the token of a mail's link, which shows that the address is right. Valid for a day, and for this address only. */
export function signVerification(
  { userId, email }: { userId: string; email: string },
  nowMs = Date.now(),
): string {
  const expiresAt = nowMs + LIFETIME_MS;
  return `${userId}.${expiresAt}.${signLink('email verification', textOf(userId, email, expiresAt))}`;
}

/** Reads which user a token names; null if it is not ours or has run out. Verifies nothing yet. */
export function readVerification(
  token: string,
  nowMs = Date.now(),
): { userId: string; isFor: (email: string) => boolean } | null {
  const [, userId, expiry, signature] = FORMAT.exec(token) ?? [];
  const expiresAt = Number(expiry);
  if (!userId || !signature || nowMs >= expiresAt) return null;
  return {
    userId,
    isFor: (email) => isLinkSigned('email verification', textOf(userId, email, expiresAt), signature),
  };
}

const textOf = (userId: string, email: string, expiresAt: number): string =>
  `${userId} ${expiresAt} ${email}`;
