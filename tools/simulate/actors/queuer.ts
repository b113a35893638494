import type { Reply } from '@/lib/http/reply';
import type { Random } from '@/tools/harness/random';
import { SALE_ID, type World } from '../world';

const LOOKS = 40;

type Queued = { userId: string; jti: string; quantity: number; orderNo: string };

/**
 * Plays a shopper whose purchase is undecided: asks for it until it is decided, or patience is over. Some know the sale by
 * their entry token, others ask with their session alone.
 * @returns whether the shopper heard that it was accepted
 */
export async function awaitDecision(world: World, random: Random, queued: Queued): Promise<boolean> {
  const { userId, orderNo } = queued;
  const { queueWatch, ledger } = world;
  const reader = random.chance(0.7) ? { userId, saleId: SALE_ID } : { userId };
  const looks = random.chance(0.9) ? LOOKS : 2;
  for (let look = 1; look <= looks; look += 1) {
    await world.time.sleep(200 + random.next() * 1_500);
    const reply = await world.request<Reply>((web) => web.api.answerOrder(reader, orderNo));
    if (!reply || reply.status === 503) continue;
    const { status, code } = JSON.parse(String(reply.body));
    if (status === 'undecided') continue;
    const isAccepted = reply.status === 200;
    ledger.count(isAccepted ? 'decided accepted' : `decided ${code}`);
    world.tell(userId, `told ${isAccepted ? status : code} of ${orderNo}`);
    queueWatch?.hear(userId, orderNo, isAccepted ? 'accepted' : code);
    if (isAccepted) ledger.accepted.push(queued);
    return isAccepted;
  }
  return false;
}
