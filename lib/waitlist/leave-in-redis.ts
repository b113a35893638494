import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import { parsePlace } from './parse-place';

const SCRIPT = 'leave-waitlist-3';

/**
 * Gives a place up: the one that the user has now. If the command comes late, a place that the user has joined meanwhile stays.
 * @returns whether the user was waiting. @throws connection errors
 */
export async function leaveInRedis(saleId: string, userId: string): Promise<boolean> {
  const number = await stockRedis().zscore(keys.waitlist(saleId), userId);
  return number !== null && take(saleId, userId, number);
}

/**
 * Takes a user off those who wait if the unit that their place was for is a purchase already.
 * @param orderNo the purchase's number: of a later place the user keeps it. @throws connection errors
 */
export async function takeOffServed(saleId: string, userId: string, orderNo: string): Promise<void> {
  const text = await stockRedis().hget(keys.places(saleId), userId);
  const place = text ? parsePlace(text) : null;
  if (place?.orderNo === orderNo && place.state === 'waiting')
    await take(saleId, userId, String(place.number));
}

async function take(saleId: string, userId: string, number: string): Promise<boolean> {
  const of = [keys.sale(saleId), keys.waitlist(saleId), keys.places(saleId)];
  const reply = await runScript(stockRedis(), SCRIPT, of, [userId, number]);
  switch (reply[0]) {
    case 'left':
      return true;
    case 'not_waiting':
      return false;
    default:
      throw new Error(`${SCRIPT} answered ${JSON.stringify(reply)}`);
  }
}
