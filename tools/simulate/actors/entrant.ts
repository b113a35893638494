import type { Random } from '@/tools/harness/random';
import { SALE_ID, type World } from '../world';
import { joinLine, leaveLine, lookAtPlace } from './stander';
import { waitInLine } from './waiter';

const PATIENCE_MS = 70_000;

/**
 * Plays a shopper in a draw: enters before the start, waits for the draw, and hears of a unit, at once or when one comes back.
 * Some leave, some don't look again; who comes too late may wait behind all who were drawn.
 * @returns the order's number, if the shopper hears of one
 */
export async function enterDraw(world: World, random: Random, userId: string): Promise<string | null> {
  const { time } = world;
  const plan = random.weighted({ wait: 8, leave: 1, forget: 1 });
  if ((await joinLine(world, random, userId)) !== 'placed')
    return waitInLine(world, random, { userId, jti: world.nextId(`${userId}_late`) });
  if (plan === 'forget') return null;
  if (plan === 'leave') {
    await time.sleep(random.next() * 4_000);
    return leaveLine(world, userId);
  }
  const until = time.now + PATIENCE_MS * (0.3 + random.next());
  while (time.now < until) {
    await time.sleep(500 + random.next() * 3_000);
    const place = await lookAtPlace(world, userId);
    if (place?.draw?.passedOver) return null;
    const orderNo = place?.draw?.orderNo;
    if (!orderNo) continue;
    const entry = world.postgres.lineEntries.find(null, (row) => row.user_id === userId).at(-1);
    const order = world.postgres.orders.get(null, orderNo);
    if (entry?.order_no === orderNo && order)
      world.ledger.accepted.push({ userId, jti: `draw_${entry.number}_${SALE_ID}`, orderNo, quantity: 1 });
    world.ledger.count('draw given');
    return orderNo;
  }
  return null;
}
