import { createHmac } from 'node:crypto';
import { hostCookie } from '@/lib/host-cookie';
import { isSameText, purposeKeys } from '@/lib/purpose-keys';
import type { User } from '@/prisma/generated/client';

/** A code may be given for this long after the first step: the password, or the sign-in server's word. */
export const STEP_LIFETIME_MS = 5 * 60_000;
const FORMAT = /^(([A-Za-z0-9_-]{1,64})\.(\d{1,15})\.([\w-]{43}))\.([\w-]{43})$/;

/** The account as it was at the first step. A change of password or sessions voids the cookie. */
type StepSubject = Pick<User, 'id' | 'passwordHash' | 'sessionVersion'>;

const cookie = hostCookie('seckill-step');

/**
 * Builds the `Set-Cookie` header which proves that this browser has just taken the first step into an account. It is no session:
 * it only leads to the question for the second factor.
 */
export function writeStep(subject: StepSubject, nowMs = Date.now()): string {
  const [key] = keys();
  if (!key) throw new Error('ENTRY_SECRET holds no key');
  const text = `${subject.id}.${nowMs + STEP_LIFETIME_MS}.${markOf(subject, key)}`;
  return cookie.write(`${text}.${sign(text, key)}`, STEP_LIFETIME_MS);
}

/** Builds the `Set-Cookie` header that makes a browser forget its proof. */
export const forgetStep = cookie.forget;

/**
 * Reads for which account a browser has taken the first step; null if the cookie is not ours or has expired. `isFor` tells
 * whether the account is still as it was.
 */
export function readStep(
  header: string | null,
  nowMs = Date.now(),
): { userId: string; isFor: (subject: StepSubject) => boolean } | null {
  const [, text, userId, expiry, mark, signature] = FORMAT.exec(cookie.read(header)) ?? [];
  if (!text || !userId || !mark || !signature || nowMs >= Number(expiry)) return null;
  // Before anything is read: a made-up cookie costs no query.
  const key = keys().find((each) => isSameText(sign(text, each), signature));
  if (!key) return null;
  return { userId, isFor: (subject) => subject.id === userId && isSameText(markOf(subject, key), mark) };
}

const keys = () => purposeKeys('second step');

const sign = (text: string, key: Buffer): string =>
  createHmac('sha256', key).update(`cookie ${text}`).digest('base64url');

const markOf = ({ sessionVersion, passwordHash }: StepSubject, key: Buffer): string =>
  createHmac('sha256', key).update(`account ${sessionVersion} ${passwordHash}`).digest('base64url');
