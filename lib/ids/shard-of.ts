/** The number of shards that orders are spread over; 10 bits of every order number. Never change it. */
export const SHARD_COUNT = 1_024;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Returns the shard ("gene") of a user, 0 … 1023, the same for ever and on every machine: FNV-1a (32 bits) over the
 * UTF-8 bytes of the id, then MurmurHash3's finalizer. Without the finalizer, the low bits are uneven for ids that
 * differ only in their last characters. The golden vectors in the test are part of the contract: rows are stored by
 * this value.
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
