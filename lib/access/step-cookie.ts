import { createHmac, randomBytes } from 'node:crypto';
import { env } from '@/lib/env';
import { readCookie } from '@/lib/http/read-cookie';
import { isSameText, purposeKeys } from '@/lib/purpose-keys';
import type { User } from '@/prisma/generated/client';

/** How long after the password a code may be given. */
export const STEP_LIFETIME_MS = 5 * 60_000;
const FORMAT = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15})\.([\w-]{22})\.([\w-]{43})$/;

/** What a proof is bound to: as soon as one of them changes, it is good for nothing. */
type StepSubject = Pick<User, 'id' | 'passwordHash' | 'sessionVersion'>;

/** Bound to this host, and to HTTPS wherever the shop is served over it. */
const cookieName = (): string => (env().isHttps ? '__Host-seckill-step' : 'seckill-step');
const attributes = (maxAgeSec: number) =>
  `Path=/; Max-Age=${maxAgeSec}; HttpOnly; SameSite=Lax${env().isHttps ? '; Secure' : ''}`;

/**
 * Builds the `Set-Cookie` header that proves that this browser has given an account's password a moment ago. It is no
 * session: all it leads to is the question for the second factor.
 */
export function writeStep(subject: StepSubject, nowMs = Date.now()): string {
  const [key] = keys();
  if (!key) throw new Error('ENTRY_SECRET holds no key');
  const text = `${subject.id}.${nowMs + STEP_LIFETIME_MS}.${randomBytes(16).toString('base64url')}`;
  return `${cookieName()}=${text}.${sign(text, subject, key)}; ${attributes(STEP_LIFETIME_MS / 1_000)}`;
}

/** Makes a `Set-Cookie` header that makes a browser forget its proof. */
export const forgetStep = (): string => `${cookieName()}=; ${attributes(0)}`;

/** Reads which account a browser's proof names; null if it has run out. Proves nothing before `isFor` was asked. */
export function readStep(
  header: string | null,
  nowMs = Date.now(),
): { userId: string; isFor: (subject: StepSubject) => boolean } | null {
  const [, userId, expiry, nonce, signature] = FORMAT.exec(readCookie(header, cookieName()) ?? '') ?? [];
  if (!userId || !signature || nowMs >= Number(expiry)) return null;
  const text = `${userId}.${expiry}.${nonce}`;
  return {
    userId,
    isFor: (subject) =>
      subject.id === userId && keys().some((key) => isSameText(sign(text, subject, key), signature)),
  };
}

const keys = () => purposeKeys('second step');

const sign = (text: string, { passwordHash, sessionVersion }: StepSubject, key: Buffer): string =>
  createHmac('sha256', key).update(`${text} ${sessionVersion} ${passwordHash}`).digest('base64url');
