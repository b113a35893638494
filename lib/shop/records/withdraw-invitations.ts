import 'server-only';
import type { Db } from '@/lib/db/client';

/** Withdraws a person's unused invitations into a shop: they would be a way back in. */
export const withdrawInvitations = (tx: Db, shopId: string, invitedBy: string) =>
  tx.invitation.updateMany({
    where: { shopId, invitedBy, usedAt: null, withdrawnAt: null },
    data: { withdrawnAt: new Date() },
  });
