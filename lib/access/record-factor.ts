import 'server-only';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import type { Db } from '@/lib/db/client';

type FactorAction = 'user.add_factor' | 'user.remove_factor' | 'user.renew_recovery_codes';

/** Records in the audit log how an owner changed the account's second factor. */
export const recordFactor = (tx: Db, { userId, role }: CurrentUser, action: FactorAction): Promise<void> =>
  recordAction(
    tx,
    { userId, role },
    { action, subject: { kind: 'user', id: userId }, before: null, after: null },
  );
