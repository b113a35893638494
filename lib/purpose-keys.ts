import { createHmac, timingSafeEqual } from 'node:crypto';
import { env } from '@/lib/env';

/**
 * Derives keys for one kind of cookie from those of `ENTRY_SECRET`, newest first. Separate keys: a cookie of one kind
 * must never pass for another, nor for an entry token.
 */
export const purposeKeys = (purpose: string): Buffer[] =>
  env().entrySecrets.map((secret) => createHmac('sha256', secret).update(purpose).digest());

/** Compares in constant time. Compares bytes, because a request may hold characters of more than one byte. */
export function isSameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
