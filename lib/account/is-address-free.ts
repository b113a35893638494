import 'server-only';
import { db } from '@/lib/db/client';

/**
 * Tells whether an account may take an address: no other account has it, has verified its inbox in any spelling, or has
 * left it so lately that it may still return to it.
 * @param email in small letters
 */
export async function isAddressFree(email: string, userId: string): Promise<boolean> {
  const [row] = await db().$queryRaw<{ isTaken: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM users WHERE email = ${email} AND id <> ${userId})
        OR EXISTS (SELECT 1 FROM users
                   WHERE inbox_of(email) = inbox_of(${email}) AND email_verified_at IS NOT NULL AND id <> ${userId})
        OR EXISTS (SELECT 1 FROM email_changes
                   WHERE old_email = ${email} AND applied_at IS NOT NULL AND stopped_at IS NULL AND undo_until > now()
                     AND user_id <> ${userId}) AS "isTaken"`;
  return row?.isTaken === false;
}
