import { createHmac } from 'node:crypto';
import { hostCookie } from '@/lib/host-cookie';
import { processWide } from '@/lib/process-wide';
import { isSameText, purposeKeys } from '@/lib/purpose-keys';

/** The place in the password queue is lost after this time. */
const MAX_AGE_MS = 1_200_000;
const TURN = /^(\d{1,15})\.([\w-]{43})$/;

const cookie = hostCookie('seckill-turn');

/**
 * Builds the `Set-Cookie` header for somebody who has to come back to the password queue: it says since when they
 * have been waiting with this e-mail address, and nothing about an account.
 * @param email in small letters. @param since epoch ms
 */
export function writeTurn(email: string, since: number): string {
  const [key] = keys();
  if (!key) throw new Error('ENTRY_SECRET holds no key');
  return cookie.write(`${since}.${sign(email, since, key)}`, MAX_AGE_MS);
}

/**
 * Returns since when somebody has been waiting with this e-mail address, epoch ms; null if their cookie doesn't say, is
 * too old, or is from before an earlier turn of this address: it is good for one.
 */
export function readTurn(header: string | null, email: string, nowMs = Date.now()): number | null {
  const [, text = '', signature = ''] = TURN.exec(cookie.read(header)) ?? [];
  const since = Number(text);
  if (text === '' || since > nowMs || nowMs - since > MAX_AGE_MS) return null;
  if (!keys().some((key) => isSameText(sign(email, since, key), signature))) return null;
  return since <= (spent().get(email) ?? 0) ? null : since;
}

/** Notes that somebody who had been waiting has had their turn. */
export function spendTurn(email: string, nowMs = Date.now()): void {
  const turns = spent();
  for (const [other, atMs] of turns) {
    if (nowMs - atMs <= MAX_AGE_MS) break;
    turns.delete(other);
  }
  // Again at the end: the order is that of time.
  turns.delete(email);
  turns.set(email, nowMs);
}

/** Each one has cost a hash, so there are no more than this process can make within the time. */
const spent = () => processWide('spent-turns', () => new Map<string, number>());

const keys = () => purposeKeys('turn');

const sign = (email: string, since: number, key: Buffer) =>
  createHmac('sha256', key).update(`${since}.${email}`).digest('base64url');
