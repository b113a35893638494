import { DECISION_DETAILS, type Leaf } from '@/lib/contract/shapes/decision-log';
import type { OrderProof } from '@/lib/shuffle/check-order';
import { digestList } from '@/lib/shuffle/digest-list';
import { mayWeigh } from '@/lib/shuffle/weight-of';

/** How an order and the leaves that bind it can differ. */
export type BindingFault =
  /** The log holds no commitment from before, or the seed is not the one that was committed to. */
  | 'not_committed'
  /** The log holds no order, or another one: seed, nonces, beacon or count differ. */
  | 'other_order'
  /** The log holds two commitments or two orders. */
  | 'two_histories'
  /** The list is not the one whose hash is in the log. */
  | 'list_changed'
  /** Somebody holds tickets that the rule published beforehand does not give. */
  | 'weight_against_rule';

type Order = OrderProof & { admission: string; beaconUrl: string | null };

/**
 * Compares an order with the leaves of the log that commit to it.
 * @param leaves that concern everybody, in their order
 * @param mayLackList an order that the release before this one made has no hash of its list in the log; whoever has all leaves
 *   can compare the list with them
 * @returns what differs, and whose entry shows it; null: nothing does
 */
export async function checkSharedLeaves(
  order: Order,
  leaves: readonly Leaf[],
  mayLackList = false,
): Promise<{ problem: BindingFault; number?: number } | null> {
  const [first, ...others] = leaves;
  const committed = first?.kind === 'committed' ? DECISION_DETAILS.committed.safeParse(first.detail) : null;
  if (!committed?.success || committed.data.seedHash !== order.seedHash) return { problem: 'not_committed' };
  const [second, third] = others;
  if (second?.kind === 'committed' || third) return { problem: 'two_histories' };
  const placed = second && DECISION_DETAILS.placed.safeParse(second.detail);
  if (!placed?.success || committed.data.admission !== order.admission) return { problem: 'other_order' };
  const { seed, noncesDigest, beacon, beaconUrl, count, list } = placed.data;
  const isSame =
    seed === order.seed &&
    noncesDigest === order.noncesDigest &&
    beacon === order.beacon &&
    beaconUrl === order.beaconUrl &&
    count === order.count;
  if (!isSame) return { problem: 'other_order' };
  const digest = await digestList(order.admission === 'draw', order.entries);
  const isUnbound = list === null && mayLackList;
  if (!isUnbound && toHex(digest) !== list) return { problem: 'list_changed' };
  const wrong = order.entries.find(({ weight }) => !mayWeigh(committed.data.weights, weight));
  return wrong ? { problem: 'weight_against_rule', number: wrong.number } : null;
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
