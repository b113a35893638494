import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';

const SCRIPT = 'leave-waitlist-3';

/** Gives a place up. @returns whether the user was waiting. @throws connection errors */
export async function leaveInRedis(saleId: string, userId: string): Promise<boolean> {
  const of = [keys.sale(saleId), keys.waitlist(saleId), keys.places(saleId)];
  const reply = await runScript(stockRedis(), SCRIPT, of, [userId]);
  switch (reply[0]) {
    case 'left':
      return true;
    case 'not_waiting':
      return false;
    default:
      throw new Error(`${SCRIPT} answered ${JSON.stringify(reply)}`);
  }
}
