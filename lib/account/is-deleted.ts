import 'server-only';
import type { Db } from '@/lib/db/client';

/** Tells whether an account was deleted, and keeps that as it is until the transaction ends. */
export async function isDeleted(tx: Db, userId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isDeleted: boolean }[]>`
    SELECT deleted_at IS NOT NULL AS "isDeleted" FROM users WHERE id = ${userId} FOR SHARE`;
  return row?.isDeleted === true;
}
