import 'server-only';
import type { Registration } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';
import { isDuplicate } from '@/lib/db/sql-state';
import { newId } from '@/lib/ids/new-id';
import { type HashingFor, hashPassword } from './hash-password';

/**
 * Creates a shopper's account. An address can be registered once, and not while an account that has left it may still
 * return to it. @throws TooManyHashesError
 */
export async function register(
  input: Registration,
  who?: HashingFor,
): Promise<{ status: 'registered'; userId: string } | { status: 'email_taken' }> {
  const passwordHash = await hashPassword(input.password, who);
  const userId = newId('user');
  const { email, name, locale, timeZone } = input;
  try {
    const inserted = await db().user.createMany({
      data: { id: userId, email, name, locale, timeZone, passwordHash },
      skipDuplicates: true,
    });
    return inserted.count === 1 ? { status: 'registered', userId } : { status: 'email_taken' };
  } catch (error) {
    // A trigger keeps addresses that were left lately.
    if (!isDuplicate(error)) throw error;
    return { status: 'email_taken' };
  }
}
