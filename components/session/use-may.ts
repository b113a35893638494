'use client';

import { may, type Permission } from '@/lib/contract/words/roles';
import { useSession } from './use-session';

/**
 * Says whether the signed-in user may do this; false while the user is unknown. Only decides what the page offers;
 * the server decides again at every request.
 */
export function useMay(permission: Permission): boolean {
  const session = useSession();
  if (session.status !== 'signed_in' || !may(session.user.role, permission)) return false;
  return permission === 'user' || !session.user.needsFactor;
}
