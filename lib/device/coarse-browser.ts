import { createHash } from 'node:crypto';
import type { HeaderReader } from '@/lib/http/request-head';
import { browserKind } from './browser-kind';

const HASH_LENGTH = 8;

/**
 * Returns the kind of browser that sends these headers, as 8 characters. It reveals a cookie that was copied to
 * another kind of browser.
 */
export function coarseBrowser(headers: HeaderReader): string {
  const { family, platform, language } = browserKind(headers);
  const traits = [family ?? 'other', platform ?? 'other', language].map((trait) => trait.toLowerCase());
  return createHash('sha256').update(traits.join('|')).digest('base64url').slice(0, HASH_LENGTH);
}
