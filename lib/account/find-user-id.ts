import 'server-only';
import { db } from '@/lib/db/client';

/** Returns the id of the user with this id or e-mail address; null if there is none. @param client of a replica, where that is enough */
export async function findUserId(idOrEmail: string, client = db()): Promise<string | null> {
  const where = idOrEmail.includes('@') ? { email: idOrEmail.toLowerCase() } : { id: idOrEmail };
  return (await client.user.findUnique({ where, select: { id: true } }))?.id ?? null;
}
