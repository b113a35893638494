import 'server-only';
import type { Db } from '@/lib/db/client';
import { deleteFactors } from './factors/delete-factors';
import { NO_PASSWORD } from './has-password';
import { removeSavedAddress } from './saved-address';

/** No mail reaches such an address (RFC 2606), and nobody can register it. */
const NOWHERE = 'deleted.invalid';

/**
 * Removes from an account what tells who it was, within a transaction that has ended its sessions and banned it. Its row
 * stays, because orders and logs name its id.
 */
export async function eraseUser(tx: Db, userId: string): Promise<void> {
  const email = `${userId}@${NOWHERE}`;
  await tx.user.update({
    where: { id: userId },
    data: {
      email,
      name: 'deleted',
      passwordHash: NO_PASSWORD,
      emailVerifiedAt: null,
      secondFactorAt: null,
      locale: 'en',
      timeZone: null,
      mutedMails: [],
      deletedAt: new Date(),
    },
  });
  await deleteFactors(tx, userId);
  await tx.identity.deleteMany({ where: { userId } });
  await tx.emailChange.deleteMany({ where: { userId } });
  await removeSavedAddress(tx, userId);
  await tx.notification.deleteMany({ where: { userId } });
  await tx.pushSubscription.deleteMany({ where: { userId } });
  await tx.invitation.updateMany({ where: { userId }, data: { email } });
  // They stay for a day, so that every process learns that they have ended.
  await tx.session.updateMany({ where: { userId }, data: { browser: '' } });
}
