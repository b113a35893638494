import { setTimeout as sleep } from 'node:timers/promises';
import { claimsFrom } from '@/lib/entry/entry-claims';
import type { EntryToken } from '@/tools/harness/issue-entry-token';
import { askAboutPlace, isWorthAsking } from './ask-about-place';
import type { Visit } from './shopper';

const RETRY_MS = 300;

/** Enters a sale, without a line. @returns the token; null: refused for good, or the round closed */
export async function enter(shopper: Visit): Promise<EntryToken | null> {
  while (Date.now() < shopper.closesAt) {
    const { entry, body } = await askAboutPlace(shopper, { of: 'line', act: 'enter' });
    const token = tokenIn(body);
    if (token) return token;
    if (!isWorthAsking(entry) && entry.code !== 'ENTRY_NOT_OPEN') return null;
    await sleep(RETRY_MS);
  }
  return null;
}

/** Reads the token of an answer to an entry; null: there is none. @throws Error on a token that can't be read */
export function tokenIn({ entryToken }: Record<string, unknown>): EntryToken | null {
  if (typeof entryToken !== 'string') return null;
  const [payload = ''] = entryToken.split('.');
  const claims = claimsFrom(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  if (!claims) throw new Error(`not an entry token: ${entryToken.slice(0, 80)}`);
  return { jti: claims.jti, entryToken };
}
