import 'server-only';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '@/lib/account/demo-accounts';
import { hashPassword } from '@/lib/account/hash-password';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';

/** Makes sure the demo accounts exist. Existing ones keep all changes made to them. */
export async function seedAccounts(): Promise<void> {
  const emails = DEMO_ACCOUNTS.map(({ email }) => email);
  const known = await db().user.findMany({ where: { email: { in: emails } }, select: { email: true } });
  const missing = DEMO_ACCOUNTS.filter(({ email }) => !known.some((user) => user.email === email));
  const data = await Promise.all(
    missing.map(async ({ email, name, role }) => ({
      id: newId('user'),
      email,
      name,
      role,
      isDemo: true,
      passwordHash: await hashPassword(DEMO_PASSWORD),
    })),
  );
  await db().user.createMany({ data, skipDuplicates: true });
  // Mail to these accounts has no reader, so they count as verified from the start.
  const isUnverified = { email: { in: emails }, emailVerifiedAt: null };
  await db().user.updateMany({ where: isUnverified, data: { emailVerifiedAt: new Date() } });
}
