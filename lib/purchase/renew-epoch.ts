import 'server-only';
import { healEpoch } from '@/lib/loading/heal-epoch';
import type { Asking } from './decider';

/**
 * Has the stock loaded, and makes the purchase ask under the present loading from now on.
 * @returns whether the sale can sell now
 */
export async function renewEpoch(asking: Asking): Promise<boolean> {
  const current = await healEpoch(asking);
  if (current === null) return false;
  asking.epoch = current;
  return true;
}
