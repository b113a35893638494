import { isLinkSigned, signLink } from './link-signature';

/** How long a link is good for. */
export const RESET_LIFETIME_MS = 30 * 60_000;
const FORMAT = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15})\.([\w-]{43})$/;

/** The link is bound to these values: a change of one of them voids it. */
type ResetSubject = { id: string; email: string; passwordHash: string; sessionVersion: number };

/** Signs the token of the link that replaces a forgotten password: once, because a new password voids it. */
export function signReset(subject: ResetSubject, nowMs = Date.now()): string {
  const expiresAt = nowMs + RESET_LIFETIME_MS;
  return `${subject.id}.${expiresAt}.${signLink('password reset', textOf(subject, expiresAt))}`;
}

/** Reads which account a token names; null if it is not ours or has run out. Proves nothing until `isFor` says so. */
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

const textOf = ({ id, email, passwordHash, sessionVersion }: ResetSubject, expiresAt: number): string =>
  `${id} ${expiresAt} ${sessionVersion} ${email} ${passwordHash}`;
