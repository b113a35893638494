import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';

/** An entry token, good for one purchase; its `jti` is the idempotency key. */
export type EntryToken = { jti: string; entryToken: string };

const VALID_MS = 3_600_000;

/** Issues an entry token for an hour, without an entry: for tests that put load on purchases alone. */
export function issueEntryToken(userId: string, saleId: string): EntryToken {
  const jti = newId('jti');
  const expiresAt = Date.now() + VALID_MS;
  return { jti, entryToken: signEntryToken({ userId, saleId, level: 0, jti, expiresAt, device: '' }) };
}
