import 'server-only';
import type { CurrentUser } from '@/lib/account/types';
import type { Confirmation } from '@/lib/contract/shapes/factor';
import { db } from '@/lib/db/client';
import type { Caller } from './caller';
import { checkOwnFactor } from './check-factor';
import type { OwnerResult } from './check-owner';
import { checkOwnPassword } from './check-password';

type ConfirmResult = { status: 'confirmed' } | Exclude<OwnerResult, { status: 'right' }>;

/**
 * Notes in a session that its owner has shown who they are: by a second factor, or by the password if the account has none.
 * So a thief who finds a session open, and knows the password besides, can do nothing dangerous.
 * @throws connection errors; then the factor may have been used
 */
export async function confirmAgain(
  user: CurrentUser,
  { currentPassword = '', ...proof }: Confirmation,
  caller: Caller,
): Promise<ConfirmResult> {
  const checked = user.hasSecondFactor
    ? await checkOwnFactor(user, proof, caller)
    : await checkOwnPassword(user, currentPassword, caller);
  if (checked.status !== 'right') return checked;
  const noted = await db().session.updateMany({
    where: { id: user.session.id, endedAt: null },
    data: { confirmedAt: new Date() },
  });
  return { status: noted.count === 1 ? 'confirmed' : 'signed_out' };
}
