import 'server-only';
import { createHmac } from 'node:crypto';
import { env } from '@/lib/env';

/**
 * Derives the secret that signs the posts of a sale's heads (Standard Webhooks), from `LOG_SIGNING_KEY`: nothing is
 * stored, and no sale's secret tells another's. Null where no key is set; then there are no heads.
 */
export function saleHeadSecret(saleId: string): string | null {
  const { logSigningKey } = env();
  if (!logSigningKey) return null;
  const key = Buffer.from(logSigningKey, 'base64url');
  return `whsec_${createHmac('sha256', key).update(`sale-head:${saleId}`).digest('base64')}`;
}
