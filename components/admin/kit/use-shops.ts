import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/api/request';
import { useMay } from '@/components/session/use-may';
import { useSession } from '@/components/session/use-session';
import type { ShopSummary } from '@/lib/contract/shapes/team';
import { allows, type ShopAct } from '@/lib/contract/words/shop';

/** More than one person can be in. */
const MOST = 100;

/** Returns the shops in which a merchant may do something; none for others, who see all shops at once. */
export function useShops(act: ShopAct): ShopSummary[] {
  const session = useSession();
  const userId = session.status === 'signed_in' && session.user.role === 'merchant' ? session.user.id : null;
  const { data } = useQuery({
    queryKey: ['GET /api/admin/shops', userId],
    queryFn: ({ signal }) => request('GET /api/admin/shops', { query: { limit: MOST }, signal }),
    enabled: userId !== null,
    staleTime: 30_000,
  });
  return (data?.shops ?? []).filter(({ standing }) => standing && allows(standing, act));
}

/**
 * Says whether the signed-in user may do something in one of their shops at least. Only decides what the page offers; the
 * server decides by the shop.
 */
export function useMayInShop(act: ShopAct): boolean {
  const session = useSession();
  const isAdmitted = useMay(act === 'see' || act === 'export' ? 'seeAdmin' : 'manageSales');
  const shops = useShops(act);
  const isMerchant = session.status === 'signed_in' && session.user.role === 'merchant';
  return isAdmitted && (!isMerchant || shops.length > 0);
}
