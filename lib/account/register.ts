import 'server-only';
import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { MAX_PASSWORD_LENGTH } from './check-credentials';
import { emailSchema } from './email';
import { type HashingFor, hashPassword } from './hash-password';
import { localeSchema } from './user-locale';

/** A password somebody chooses; NIST SP 800-63B: long enough, and nothing else is asked of it. */
export const passwordSchema = z.string().min(8, 'needs at least 8 characters').max(MAX_PASSWORD_LENGTH);

export const nameSchema = z.string().trim().min(1).max(100);

export const registerSchema = z.object({
  email: emailSchema,
  password: passwordSchema,
  name: nameSchema,
  locale: localeSchema.default(routing.defaultLocale).describe('The language of the mails.'),
});

/** Creates a shopper's account. An address can be registered once. @throws TooManyHashesError */
export async function register(
  input: z.output<typeof registerSchema>,
  who?: HashingFor,
): Promise<{ status: 'registered'; userId: string } | { status: 'email_taken' }> {
  const passwordHash = await hashPassword(input.password, who);
  const userId = newId('user');
  const { email, name, locale } = input;
  const inserted = await db().user.createMany({
    data: { id: userId, email, name, locale, passwordHash },
    skipDuplicates: true,
  });
  return inserted.count === 1 ? { status: 'registered', userId } : { status: 'email_taken' };
}
