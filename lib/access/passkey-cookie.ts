import { createHmac, randomBytes } from 'node:crypto';
import type { Challenge } from '@/lib/account/factors/spend-passkey';
import { hostCookie } from '@/lib/host-cookie';
import { isSameText, purposeKeys } from '@/lib/purpose-keys';

/** A passkey may answer for this long. */
export const CHALLENGE_LIFETIME_MS = 5 * 60_000;
const CHALLENGE_BYTES = 32;
const FORMAT = /^([a-z-]{1,20})\.(\d{1,15})\.([\w-]{43})\.([\w-]{43})$/;

/** The use of a challenge: an answer to one is no answer to another. */
export type PasskeyUse = 'sign-in' | 'session' | 'add';

const cookie = hostCookie('seckill-passkey');

/**
 * Makes a challenge for a passkey, and the `Set-Cookie` header that keeps it in this browser. Nothing is stored, however
 * many strangers ask. `spendPasskey` and `addPasskey` see to it that each is answered once.
 * @param boundTo must not change before the answer, such as a session's id
 */
export function writeChallenge(
  use: PasskeyUse,
  boundTo: string,
  nowMs = Date.now(),
): { challenge: string; setCookie: string } {
  const [key] = keys();
  if (!key) throw new Error('ENTRY_SECRET holds no key');
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const text = `${use}.${nowMs}.${challenge}`;
  const value = `${text}.${sign(text, boundTo, key)}`;
  return { challenge, setCookie: cookie.write(value, CHALLENGE_LIFETIME_MS) };
}

/** Builds the `Set-Cookie` header that makes a browser forget its challenge. */
export const forgetChallenge = cookie.forget;

/**
 * Reads the challenge that a browser has; null if it has none for this use, it has expired, or what it is bound to has
 * changed.
 */
export function readChallenge(
  header: string | null,
  use: PasskeyUse,
  boundTo: string,
  nowMs = Date.now(),
): Challenge | null {
  const [, given, issuedMs, challenge, signature] = FORMAT.exec(cookie.read(header)) ?? [];
  if (given !== use || !challenge || !signature) return null;
  if (nowMs >= Number(issuedMs) + CHALLENGE_LIFETIME_MS) return null;
  const text = `${use}.${issuedMs}.${challenge}`;
  if (!keys().some((key) => isSameText(sign(text, boundTo, key), signature))) return null;
  return { challenge, issuedAt: new Date(Number(issuedMs)) };
}

const keys = () => purposeKeys('passkeys');

const sign = (text: string, boundTo: string, key: Buffer): string =>
  createHmac('sha256', key).update(`${text} ${boundTo}`).digest('base64url');
