import canonicalize from 'canonicalize';
import type { LogHead } from '@/lib/contract/shapes/decision-log';

/** The text that a head's signature is made of: its other fields as canonical JSON (RFC 8785). */
export function headText({ v, sale, size, root, at, keyId, final }: Omit<LogHead, 'signature'>): string {
  return canonicalize({ v, sale, size, root, at, keyId, final }) as string;
}
