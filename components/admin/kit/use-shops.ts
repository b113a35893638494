import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/api/request';
import { useSession } from '@/components/session/use-session';

/** As many as one person can be in, and more. */
const MOST = 100;

/** Begins the keys of everything about shops. */
export const SHOPS = 'shops';

/** Returns the shops a merchant is in, and the one they have chosen; nothing for others, who see all shops at once. */
export function useShops() {
  const session = useSession();
  const userId = session.status === 'signed_in' && session.user.role === 'merchant' ? session.user.id : null;
  const { data } = useQuery({
    queryKey: [SHOPS, userId],
    queryFn: ({ signal }) => request('GET /api/admin/shops', { query: { limit: MOST }, signal }),
    enabled: userId !== null,
    staleTime: 30_000,
  });
  return userId === null ? undefined : data;
}
