import { type Leaf, type LogHead, leaf } from '@/lib/contract/shapes/decision-log';
import { type OrderFile, orderFile } from '@/lib/contract/shapes/line-proof';
import { checkOrder, type OrderProblem } from '@/lib/shuffle/check-order';
import { type Sha256, webSha256 } from './bytes';
import { checkHead, type HeadFault } from './check-head';
import { checkInclusion } from './check-inclusion';
import { type BindingFault, checkSharedLeaves } from './check-shared-leaves';
import { parseJson } from './parse-json';

/** What can be wrong with the list of a line or draw. */
export type OrderFileFault =
  | 'not_a_list'
  | HeadFault
  | 'not_in_log'
  | 'other_sale'
  | OrderProblem
  | BindingFault;

export type CheckedOrder =
  | { ok: true; file: OrderFile; head: LogHead; key: string }
  | { ok: false; fault: OrderFileFault; number: number | null };

/** The longest file that is read, in characters: 200,000 people have some 40 million. */
export const LONGEST_LIST = 400_000_000;

/**
 * Checks the list of a line or draw without asking anybody: the order follows from seed, nonces, beacon and weights; the
 * signed log held the hash of the seed and the rule of the weights before, and holds the hash of this list. The same in the
 * browser and on the command line.
 * @param text of the file
 */
export async function checkOrderFile(text: string, sha256: Sha256 = webSha256): Promise<CheckedOrder> {
  const bad = (fault: OrderFileFault, number: number | null = null): CheckedOrder => ({
    ok: false,
    fault,
    number,
  });
  const read = orderFile.safeParse(text.length > LONGEST_LIST ? undefined : parseJson(text));
  if (!read.success) return bad('not_a_list');
  const file = read.data;
  const { head, key, leaves } = file.signed;
  const fault = await checkHead(head, key.publicKey);
  if (fault) return bad(fault);
  if (head.sale !== file.saleId) return bad('other_sale');
  const shared: Leaf[] = [];
  let last = -1;
  for (const proven of leaves) {
    if (proven.index <= last || !(await checkInclusion(proven, head, sha256))) return bad('not_in_log');
    const parsed = leaf.safeParse(parseJson(proven.leaf));
    if (!parsed.success || parsed.data.who !== undefined) return bad('not_a_list');
    if (parsed.data.sale !== head.sale) return bad('other_sale');
    shared.push(parsed.data);
    last = proven.index;
  }
  const order = {
    ...file.shuffle,
    seedHash: file.seedHash,
    admission: file.admission,
    entries: file.entries,
  };
  const made = await checkOrder(order);
  if (!made.ok) return bad(made.problem, made.number);
  const unbound = await checkSharedLeaves(order, shared);
  if (unbound) return bad(unbound.problem, unbound.number);
  return { ok: true, file, head, key: key.publicKey };
}
