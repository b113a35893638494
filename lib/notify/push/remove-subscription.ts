import 'server-only';
import { db } from '@/lib/db/client';

/** Ends a browser's subscription, if it is this account's. @throws connection errors */
export async function removeSubscription(userId: string, endpoint: string): Promise<void> {
  await db().$executeRaw`DELETE FROM push_subscriptions WHERE user_id = ${userId} AND endpoint = ${endpoint}`;
}
