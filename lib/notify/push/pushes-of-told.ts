import 'server-only';
import { Prisma } from '@/prisma/generated/client';

/**
 * Selects, for the rows that an `INSERT INTO notifications` returns as `told (message_id, user_id)`, the messages that tell
 * the same by push: one for each notice to somebody who has a browser for it. Part of the statement that writes the notices,
 * so that each new one is told, and none twice.
 */
export const pushesOfTold = Prisma.sql`
  INSERT INTO outgoing_messages (topic, payload)
  SELECT 'push', jsonb_build_object('notice', told.message_id)
  FROM told WHERE EXISTS (SELECT 1 FROM push_subscriptions p WHERE p.user_id = told.user_id)`;
