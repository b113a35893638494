import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { HeaderReader } from '@/lib/http/request-head';
import { browserKind, TELLING } from './browser-kind';

const HASH_LENGTH = 8;
const LONGEST_REMEMBERED = 1_000;

/** Kinds by the headers that tell them. */
const remembered = new LRUCache<string, string>({ max: 1_000 });

/**
 * Returns the kind of browser that sends these headers, as 8 characters. It reveals a cookie that was copied to
 * another kind of browser.
 */
export function coarseBrowser(headers: HeaderReader): string {
  const told = TELLING.map((name) => headers.get(name) ?? '').join('\n');
  // A crowd comes with a few hundred kinds of browsers. Nobody gets us to remember long headers.
  if (told.length > LONGEST_REMEMBERED) return hashKind(headers);
  const known = remembered.get(told);
  if (known !== undefined) return known;
  const kind = hashKind(headers);
  remembered.set(told, kind);
  return kind;
}

function hashKind(headers: HeaderReader): string {
  const { family, platform, language } = browserKind(headers);
  const traits = [family ?? 'other', platform ?? 'other', language].map((trait) => trait.toLowerCase());
  return createHash('sha256').update(traits.join('|')).digest('base64url').slice(0, HASH_LENGTH);
}
