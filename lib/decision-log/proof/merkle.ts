import { join, type Sha256 } from './bytes';

/** RFC 9162 (Certificate Transparency 2.0): hashes of leaves and nodes differ in their first byte. */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const leafInput = (leaf: Uint8Array): Uint8Array => join(LEAF, leaf);
export const nodeInput = (left: Uint8Array, right: Uint8Array): Uint8Array => join(NODE, left, right);

/** Halves an index without the 32-bit limit of `>>`. */
const half = (n: number): number => Math.floor(n / 2);
const isOdd = (n: number): boolean => n % 2 === 1;

/**
 * Computes the root that an inclusion proof leads to (RFC 9162, 2.1.3.2).
 * @param hash of the leaf
 * @returns null if the proof doesn't fit the index and size.
 */
export async function rootOfInclusion(
  {
    index,
    size,
    hash,
    proof,
  }: { index: number; size: number; hash: Uint8Array; proof: readonly Uint8Array[] },
  sha256: Sha256,
): Promise<Uint8Array | null> {
  if (index < 0 || index >= size) return null;
  let [at, last, root] = [index, size - 1, hash];
  for (const node of proof) {
    if (last === 0) return null;
    if (isOdd(at) || at === last) {
      root = await sha256(nodeInput(node, root));
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      root = await sha256(nodeInput(root, node));
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 ? root : null;
}

/** Computes the root of a log from its leaves, one after the other; memory grows with the logarithm of their number. */
export class RootBuilder {
  size = 0;
  /** Roots of the complete subtrees so far, the largest first, with their levels. */
  private readonly peaks: { level: number; hash: Uint8Array }[] = [];

  constructor(private readonly sha256: Sha256) {}

  async add(leaf: Uint8Array): Promise<void> {
    await this.addHash(await this.sha256(leafInput(leaf)));
  }

  async addHash(hash: Uint8Array): Promise<void> {
    let peak = { level: 0, hash };
    for (let left = this.peaks.at(-1); left?.level === peak.level; left = this.peaks.at(-1)) {
      this.peaks.pop();
      peak = { level: peak.level + 1, hash: await this.sha256(nodeInput(left.hash, peak.hash)) };
    }
    this.peaks.push(peak);
    this.size += 1;
  }

  /** The root of the leaves added so far. @throws if there is none. */
  async root(): Promise<Uint8Array> {
    const [last, ...before] = this.peaks.toReversed();
    if (!last) throw new Error('a log without leaves has no root');
    let { hash } = last;
    for (const left of before) hash = await this.sha256(nodeInput(left.hash, hash));
    return hash;
  }
}
