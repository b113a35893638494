import 'server-only';
import { processWide } from '@/lib/process-wide';

/** How many may wait for the one at work: each holds its upload in memory. */
export const MAX_WAITING = 4;
/** How many of one shop: others get theirs meanwhile. */
export const MAX_OF_A_SHOP = 3;

const state = () =>
  processWide('pictures', () => ({ last: Promise.resolve() as Promise<unknown>, shops: [] as string[] }));

/** Does one work after the other. @returns null if too many wait already, of all or of this shop */
export function takeTurn<T>(shopId: string, work: () => Promise<T>): Promise<T> | null {
  const line = state();
  const ofShop = line.shops.filter((each) => each === shopId).length;
  // The one at work counts too.
  if (line.shops.length > MAX_WAITING || ofShop >= MAX_OF_A_SHOP) return null;
  line.shops.push(shopId);
  const mine = line.last.then(work).finally(() => {
    line.shops.splice(line.shops.indexOf(shopId), 1);
  });
  line.last = mine.catch(() => {});
  return mine;
}
