import { fromBase64url, isSame, type Sha256, utf8 } from './bytes';
import { leafInput, rootOfInclusion } from './merkle';

/** Tells whether a leaf is in the log under a head. @param proof hashes in base64url, from the leaf to the root */
export async function checkInclusion(
  { index, leaf, proof }: { index: number; leaf: string; proof: readonly string[] },
  head: { size: number; root: string },
  sha256: Sha256,
): Promise<boolean> {
  const hash = await sha256(leafInput(utf8(leaf)));
  const path = { index, size: head.size, hash, proof: proof.map(fromBase64url) };
  const root = await rootOfInclusion(path, sha256);
  return root !== null && isSame(root, fromBase64url(head.root));
}
