import 'server-only';
import { db } from '@/lib/db/client';

/** Finds the address of the browser that asked last in a session; null: none takes its notices. @throws connection errors */
export async function findSubscription(sessionId: string): Promise<string | null> {
  const latest = await db().pushSubscription.findFirst({
    where: { sessionId },
    orderBy: { createdAt: 'desc' },
    select: { endpoint: true },
  });
  return latest?.endpoint ?? null;
}
