import 'server-only';
import type { Locale } from '@/i18n/routing';
import { isDuplicate } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import type { User } from '@/prisma/generated/client';
import { NO_PASSWORD } from '../hash-password';
import type { Identity } from './read-identity';

/**
 * Creates a shopper's account for an identity, without a password. Its address counts as verified, because the server says
 * so.
 * @returns null if another account has the address or its inbox, may still return to it, or has the identity
 */
export async function registerByIdentity(
  { issuer, subject, name }: Identity,
  email: string,
  locale: Locale,
): Promise<User | null> {
  const userId = newId('user');
  try {
    return await transaction(async (tx) => {
      const user = await tx.user.create({
        data: {
          id: userId,
          email,
          name: name ?? email.slice(0, email.indexOf('@')).slice(0, 100),
          locale,
          passwordHash: NO_PASSWORD,
          emailVerifiedAt: new Date(),
        },
      });
      await tx.identity.create({ data: { id: newId('identity'), userId, issuer, subject } });
      return user;
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return null;
  }
}
