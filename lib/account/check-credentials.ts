import 'server-only';
import { db } from '@/lib/db/client';
import { hashPassword, isPassword } from './hash-password';

// Unknown addresses cost as much time as known ones, so that nobody can find out who has an account.
let decoyHash: Promise<string> | undefined;

/** The user with this address and password, or null. Banned users cannot sign in. */
export async function checkCredentials(email: string, password: string) {
  if (email.length > 254 || email.includes('\0') || password.length > 200) return null;
  const user = await db().user.findUnique({ where: { email: email.trim().toLowerCase() } });
  decoyHash ??= hashPassword('nobody has this password');
  const matches = await isPassword(user?.passwordHash ?? (await decoyHash), password);
  return user && matches && user.bannedAt === null ? user : null;
}
