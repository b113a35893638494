'use client';

import { may, type Permission } from '@/lib/contract/words/roles';
import { useSession } from './use-session';

/**
 * May the signed-in person do this? False while nobody knows who it is. For what is offered to whom; the server decides
 * again at every request.
 */
export function useMay(permission: Permission): boolean {
  const session = useSession();
  return session.status === 'signed_in' && may(session.user.role, permission);
}
