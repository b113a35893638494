import { isLinkSigned, signLink } from './link-signature';

/** How long a link is good for. */
export const RESET_LIFETIME_MS = 30 * 60_000;
const FORMAT = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15})\.([\w-]{43})$/;

/** What a link is bound to: as soon as one of them changes, the link is good for nothing. */
export type ResetSubject = { userId: string; email: string; passwordHash: string; sessionVersion: number };

/**
 * Signs the token of a mail's link with which an account gets another password: once, for the password that it has now,
 * for half an hour.
 */
export function signReset(subject: ResetSubject, nowMs = Date.now()): string {
  const expiresAt = nowMs + RESET_LIFETIME_MS;
  return `${subject.userId}.${expiresAt}.${signLink('password reset', textOf(subject, expiresAt))}`;
}

/** Reads which account a token names; null if it is not ours or has run out. Proves nothing before `isFor` was asked. */
export function readReset(
  token: string,
  nowMs = Date.now(),
): { userId: string; isFor: (subject: ResetSubject) => boolean } | null {
  const [, userId, expiry, signature] = FORMAT.exec(token) ?? [];
  const expiresAt = Number(expiry);
  if (!userId || !signature || nowMs >= expiresAt) return null;
  return {
    userId,
    isFor: (subject) => isLinkSigned('password reset', textOf(subject, expiresAt), signature),
  };
}

const textOf = ({ userId, email, passwordHash, sessionVersion }: ResetSubject, expiresAt: number): string =>
  `${userId} ${expiresAt} ${sessionVersion} ${email} ${passwordHash}`;
