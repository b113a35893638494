import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** All fields of an entry except its own hash. */
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

/** Stands for the hash of the entry before in the first entry. */
export const FIRST_HASH = '0'.repeat(64);

/**
 * Computes the SHA-256, in hex, of the entry's canonical JSON (RFC 8785): the same in whatever order the database
 * keeps the keys.
 */
export function hashEntry(entry: HashedEntry): string {
  const { id, at, ...rest } = entry;
  const json = canonicalize({ ...rest, id: id.toString(), at: at.getTime() });
  return createHash('sha256')
    .update(json ?? '')
    .digest('hex');
}
