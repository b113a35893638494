import type { LineProof, OrderFile } from '@/lib/contract/shapes/line-proof';

const SAYS =
  'The list of a line or draw: every entry under its pseudonym, what the order follows from, and the signed leaves of the sale’s log that bind it. Check it without the shop: open the page /prove and drop this file, or run "npm run prove -- --draw FILE" (--line FILE for a waiting room). docs/FAIRNESS.md says what it proves and what it cannot.';

/**
 * Gathers all pages of the list of a line or draw into one file.
 * @param read reads the page that begins with this number
 * @param onProgress is told how many of how many entries are there
 * @returns null while the order is not made, or not signed yet. @throws what `read` throws
 */
export async function gatherOrder(
  read: (from: number) => Promise<LineProof>,
  onProgress: (count: number, all: number) => void = () => undefined,
): Promise<OrderFile | null> {
  const first = await read(0);
  const { shuffle, signed } = first;
  if (!shuffle || !signed || signed.leaves.length < 2) return null;
  const entries = [...first.entries];
  for (let from = first.next; from !== null; ) {
    onProgress(entries.length, shuffle.count);
    const page = await read(from);
    entries.push(...page.entries);
    from = page.next;
  }
  onProgress(entries.length, shuffle.count);
  return { v: 1, says: SAYS, ...first, shuffle, signed, entries, next: null };
}
