import 'server-only';
import type { Db } from '@/lib/db/client';
import type { User } from '@/prisma/generated/client';

/** Locks an account until the transaction ends, and returns it as it is then; null if there is no such account. */
export async function lockAccount(tx: Db, userId: string): Promise<User | null> {
  await tx.$executeRaw`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  return tx.user.findUnique({ where: { id: userId } });
}
