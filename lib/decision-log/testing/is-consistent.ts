import { isSame, type Sha256 } from '../proof/bytes';
import { nodeInput } from '../proof/merkle';

const half = (n: number): number => Math.floor(n / 2);
const isOdd = (n: number): boolean => n % 2 === 1;

type Sized = { size: number; root: Uint8Array };

/**
 * For tests: checks that the log of one head is a beginning of another's: nothing was changed, dropped or put in (RFC 9162,
 * 2.1.4.2).
 * @param from the smaller of the two
 */
export async function isConsistent(
  from: Sized,
  to: Sized,
  proof: readonly Uint8Array[],
  sha256: Sha256,
): Promise<boolean> {
  if (from.size < 1 || from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && isSame(from.root, to.root);
  // Where the smaller tree is complete, its root begins the proof.
  const isComplete = Number.isInteger(Math.log2(from.size));
  const [first, ...rest] = isComplete ? [from.root, ...proof] : proof;
  if (!first || (isComplete && proof.length === 0)) return false;
  let [at, last] = [from.size - 1, to.size - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  let [older, newer] = [first, first];
  for (const node of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      older = await sha256(nodeInput(node, older));
      newer = await sha256(nodeInput(node, newer));
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      newer = await sha256(nodeInput(newer, node));
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isSame(older, from.root) && isSame(newer, to.root);
}
