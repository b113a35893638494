/**
 * Returns the slice to which a buyer belongs, by a hash of the user's id (FNV-1a, then mixed so that every bit counts):
 * the same in every process and for as long as the sale exists, so that one slice counts all that the user buys.
 * @param slices 1 to 16
 * @returns 0 to `slices` − 1
 */
export function sliceOf(userId: string, slices: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < userId.length; at += 1) hash = Math.imul(hash ^ userId.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % slices;
}
