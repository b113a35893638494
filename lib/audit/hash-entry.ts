import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** All of an entry but its own hash. */
type HashedEntry = {
  id: bigint;
  at: Date;
  actorId: string;
  actorRole: string;
  action: string;
  subjectKind: string;
  subjectId: string;
  before: unknown;
  after: unknown;
  reason: string | null;
  previousHash: string;
};

/** What the first entry has for the hash of the one before. */
export const FIRST_HASH = '0'.repeat(64);

/** SHA-256, in hex, of the entry's canonical JSON (RFC 8785): the same however the database orders its keys. */
export function hashEntry(entry: HashedEntry): string {
  const { id, at, ...rest } = entry;
  const json = canonicalize({ ...rest, id: id.toString(), at: at.getTime() });
  return createHash('sha256')
    .update(json ?? '')
    .digest('hex');
}
