import 'server-only';
import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { emailSchema } from './email';
import { hashPassword } from './hash-password';
import { localeSchema } from './user-locale';

export const registerSchema = z.object({
  email: emailSchema,
  password: z.string().min(8, 'needs at least 8 characters').max(200),
  name: z.string().trim().min(1).max(100),
  locale: localeSchema.default(routing.defaultLocale).describe('The language of the mails.'),
});

/** Creates a shopper's account. An address can be registered once. */
export async function register(
  input: z.output<typeof registerSchema>,
): Promise<{ status: 'registered'; userId: string } | { status: 'email_taken' }> {
  const passwordHash = await hashPassword(input.password);
  const userId = newId('user');
  const { email, name, locale } = input;
  const inserted = await db().user.createMany({
    data: { id: userId, email, name, locale, passwordHash },
    skipDuplicates: true,
  });
  return inserted.count === 1 ? { status: 'registered', userId } : { status: 'email_taken' };
}
