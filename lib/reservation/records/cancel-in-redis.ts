import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { replyTime, unknownReply } from '@/lib/redis/parse-reply';
import { runScript } from '@/lib/redis/run-script';
import type { CancelResult } from './types';

const SCRIPT = 'cancel-reservation-3';

/**
 * Cancels a user's reservation in Redis, by whose clock this is possible until the window closes (epoch ms).
 * Cancelling again changes nothing.
 * @throws connection errors. Then the outcome is unknown; asking again tells it.
 */
export async function cancelInRedis(saleId: string, userId: string, closesAt: number): Promise<CancelResult> {
  const reply = await runScript(
    stockRedis(),
    SCRIPT,
    [keys.reserved(saleId), keys.unreserved(saleId), keys.reservations(saleId)],
    [userId, closesAt],
  );
  switch (reply[0]) {
    case 'cancelled':
    case 'already_cancelled':
      return { status: reply[0], cancelledAt: replyTime(SCRIPT, reply) };
    case 'not_reserved':
    case 'closed':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
