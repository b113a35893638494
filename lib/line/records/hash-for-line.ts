import 'server-only';
import { createHmac } from 'node:crypto';
import { purposeKeys } from '@/lib/purpose-keys';

/**
 * Hashes a device or network for one sale's line, so that its list tells places of one device apart and nothing else. The
 * key is the oldest that still counts, so that places outlive the rotation of `ENTRY_SECRET`.
 */
export function hashForLine(saleId: string, kind: 'device' | 'network', subject: string): string {
  const key = purposeKeys('line').at(-1);
  if (!key) throw new Error('ENTRY_SECRET holds no key');
  return createHmac('sha256', key).update(`${saleId} ${kind} ${subject}`).digest('base64url').slice(0, 22);
}
