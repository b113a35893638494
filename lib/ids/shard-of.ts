/** The number of shards that orders are spread over; 10 bits of every order number. Never change it. */
export const SHARD_COUNT = 1_024;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Returns the shard ("gene") of a user, 0 … 1023: FNV-1a (32 bits) over the UTF-8 bytes of the id, then MurmurHash3's
 * finalizer. Without it the low bits are uneven for ids that differ only at their end. Rows are stored by this value,
 * so it must never change; the test's golden vectors keep it.
 */
export function shardOf(userId: string): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(userId, 'utf8')) {
    hash = Math.imul(hash ^ byte, FNV_PRIME);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return hash & (SHARD_COUNT - 1);
}
