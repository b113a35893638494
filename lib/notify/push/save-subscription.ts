import 'server-only';
import { ECDH } from 'node:crypto';
import type { PushSubscription } from '@/lib/contract/shapes/push';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids/new-id';
import { isPublicHttps } from '@/lib/settings/kinds';
import { pushKey } from './push-key';

/** Browsers of one account; the oldest makes room. */
export const MAX_BROWSERS = 10;

type Owner = { userId: string; session: { id: string } };

/**
 * Lets a browser take the notices of the session in which it asks. A browser tells one account at a time: the latest that
 * asked there.
 * @param allowsPrivate takes addresses inside, and plain http. @throws connection errors
 */
export async function saveSubscription(
  { userId, session }: Owner,
  { endpoint, keys: { p256dh, auth } }: PushSubscription,
  allowsPrivate = env().pushPrivate,
): Promise<'saved' | 'off' | 'unusable' | 'signed_out'> {
  if (!pushKey()) return 'off';
  // A name is looked up when something is sent there.
  const mayBeAsked = allowsPrivate ? URL.canParse(endpoint) : isPublicHttps(endpoint);
  if (!isPoint(p256dh) || !mayBeAsked) return 'unusable';
  const saved = await db().$executeRaw`
    INSERT INTO push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth)
    SELECT ${newId('push')}, user_id, id, ${endpoint}, ${p256dh}, ${auth}
    FROM sessions WHERE id = ${session.id} AND user_id = ${userId} AND ended_at IS NULL
    ON CONFLICT (endpoint) DO UPDATE SET user_id = excluded.user_id, session_id = excluded.session_id,
                                         p256dh = excluded.p256dh, auth = excluded.auth, created_at = now()`;
  if (saved === 0) return 'signed_out';
  await db().$executeRaw`
    DELETE FROM push_subscriptions WHERE id IN (
      SELECT id FROM push_subscriptions WHERE user_id = ${userId}
      ORDER BY created_at DESC, id DESC OFFSET ${MAX_BROWSERS})`;
  return 'saved';
}

function isPoint(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url') !== '';
  } catch {
    return false;
  }
}
