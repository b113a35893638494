import 'server-only';
import { deletedEmail } from '@/lib/contract/words/deleted-email';
import type { Db } from '@/lib/db/client';
import { deleteFactors } from './factors/delete-factors';
import { NO_PASSWORD } from './hash-password';

/**
 * Removes from an account what tells who it was, within a transaction that has ended its sessions and banned it. The row
 * stays under its id, because orders and logs name it.
 */
export async function eraseAccount(tx: Db, userId: string): Promise<void> {
  const email = deletedEmail(userId);
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
      mailRefusedAt: null,
      deletedAt: new Date(),
    },
  });
  await deleteFactors(tx, userId);
  await tx.identity.deleteMany({ where: { userId } });
  await tx.emailChange.deleteMany({ where: { userId } });
  await tx.notification.deleteMany({ where: { userId } });
  await tx.invitation.updateMany({ where: { userId }, data: { email } });
  // The rows stay for a day, so that every process learns that the sessions have ended.
  await tx.session.updateMany({ where: { userId }, data: { browser: '' } });
}
