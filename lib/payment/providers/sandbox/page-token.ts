import 'server-only';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { env } from '@/lib/env';

/**
 * Returns the token that opens the sandbox's page of one payment: without it a stranger who guesses an order number
 * could decline its payment.
 */
export function pageToken(paymentId: string): string {
  return createHmac('sha256', env().sandboxWebhookSecret).update(`page:${paymentId}`).digest('base64url');
}

/** Compares in constant time. */
export function isPageToken(paymentId: string, token: string): boolean {
  const expected = Buffer.from(pageToken(paymentId));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
