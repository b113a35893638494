import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';

/** No password matches this value, so a sign-in is impossible: tools start sessions themselves. */
const NO_PASSWORD = '!';

type Recruit = { userId: string; name: string; email: string };

/**
 * Adds shoppers to the database.
 * @param createdAt since when they have an account; default: now
 * @returns them in the same order
 */
export async function recruit(
  people: readonly { name: string; email?: string }[],
  createdAt = new Date(),
): Promise<Recruit[]> {
  const recruits = people.map(({ name, email }) => {
    const userId = newId('user');
    return { userId, name, email: email ?? `${userId}@example.com` };
  });
  await db().user.createMany({
    data: recruits.map(({ userId: id, name, email }) => ({
      id,
      name,
      email,
      passwordHash: NO_PASSWORD,
      createdAt,
    })),
  });
  return recruits;
}

/** Makes sure that the merchant of a tool is in the database. @param tool names the account */
export async function recruitMerchant(tool: string) {
  const userId = `user_${tool}`;
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash, role)
    VALUES (${userId}, ${`${tool}@example.com`}, ${tool}, ${NO_PASSWORD}, 'merchant') ON CONFLICT DO NOTHING`;
  return { userId, role: 'merchant' } as const;
}
