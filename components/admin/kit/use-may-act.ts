import { useMay } from '@/components/session/use-may';
import { allows, type ShopAct } from '@/lib/contract/words/shop';
import { useShops } from './use-shops';

/**
 * Says whether the role and topics of the signed-in user in the chosen shop allow an act; true for who is no merchant, and
 * while it is unknown. Only decides what the page offers; the server decides again at every request.
 */
export function useMayInShop(act: ShopAct): boolean {
  const data = useShops();
  const chosen = data?.shops.find(({ shopId }) => shopId === data.chosen);
  return chosen?.standing ? allows(chosen.standing, act) : true;
}

/** Says whether the signed-in user may change things, and this in the chosen shop; see `useMayInShop`. */
export function useMayAct(act: ShopAct): boolean {
  const isAllowed = useMayInShop(act);
  return useMay('manageSales') && isAllowed;
}
