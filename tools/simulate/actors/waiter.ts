import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';
import type { Reply } from '@/lib/http/reply';
import type { Random } from '@/tools/harness/random';
import { SALE_ID, type World } from '../world';

const ASKS = 8;
const ASK_AGAIN_MS = 3_000;

/**
 * Plays a shopper who was too late: takes a place on the waitlist, asks now and then how it stands, and waits, leaves, or
 * forgets about it.
 * @returns the number of the order, if the shopper hears that a unit has come
 */
export async function waitInLine(
  world: World,
  random: Random,
  asked: { userId: string; jti: string },
): Promise<string | null> {
  const { time } = world;
  if (random.chance(0.15)) return null;
  // Either the token that was too late to buy, or one of a page that was opened since.
  const token = random.chance(0.5) ? asked.jti : `${asked.jti}_again`;
  let place = await join(world, random, { userId: asked.userId, jti: token });
  const patientUntil = time.now + 1_000 + random.next() ** 2 * 60_000;
  const leaves = random.chance(0.4);
  while (place?.state === 'waiting' && time.now < patientUntil) {
    await time.sleep(ASK_AGAIN_MS * (0.5 + random.next()));
    place = (await look(world, asked.userId)) ?? place;
  }
  if (place?.state === 'waiting' && leaves) return leave(world, asked.userId);
  return place?.state === 'given' ? place.orderNo : null;
}

async function join(
  world: World,
  random: Random,
  { userId, jti }: { userId: string; jti: string },
): Promise<WaitlistPlace | null> {
  const headers = new Headers({ 'x-entry-token': `${userId} ${jti}` });
  const request = { method: 'POST', headers, saleId: SALE_ID, address: null };
  for (let ask = 1; ask <= ASKS; ask += 1) {
    const reply = await world.request<Reply>(async (web) => web.api.answerJoin(request));
    const body = reply ? JSON.parse(String(reply.body)) : { code: 'no answer' };
    const isTold = reply?.status === 200 || reply?.status === 201;
    world.ledger.count(`waitlist ${isTold ? body.state : body.code}`);
    if (isTold) return hear(world, userId, body);
    if (reply && reply.status !== 503 && random.chance(0.8)) return null;
    await world.time.sleep(200 + random.next() * 3_000);
  }
  return null;
}

/** Asks how the shopper stands. @returns null: no answer, or nobody knows for the moment. */
async function look(world: World, userId: string): Promise<WaitlistPlace | null> {
  const place = await world.request(async (web) => {
    const info = await web.api.findSaleInfo(SALE_ID);
    return info && web.api.findPlace(info, userId);
  });
  return place && hear(world, userId, place);
}

/** Records what the shopper heard, and compares it with what the same shopper heard before. */
function hear(world: World, userId: string, place: WaitlistPlace): WaitlistPlace {
  const { ledger, postgres } = world;
  const rows = postgres.places.find(null, (row) => row.userId === userId);
  const before = ledger.placesOf(userId).filter(({ askedToLeaveAt }) => askedToLeaveAt === null);
  const isOpen = ({ orderNo }: { orderNo: string }) => !world.waitlistWatch?.isOver(orderNo);
  if (place.state === 'waiting') {
    const latest = rows.sort((a, b) => b.number - a.number)[0];
    if (!latest) world.violate(`6: ${userId} was told a place that Postgres does not have`);
    // What is on its way may be older than what has happened since.
    else if (isOpen(latest) && latest.leftAt === null) {
      const other = before.find((told) => told.orderNo !== latest.orderNo && isOpen(told));
      if (other) world.violate(`6: ${userId} was told place ${latest.number} and has place ${other.number}`);
      ledger.tellPlace(latest);
      world.tell(userId, `told place ${latest.number}, ${place.ahead} ahead`);
    }
  }
  if (place.state === 'none' && before.some(isOpen) && !world.injected['redis older'])
    world.violate(`6: ${userId} was told of a place, and then that there is none`);
  if (place.state === 'given' && place.orderNo !== null) {
    const { orderNo } = place;
    // A unit may come to whoever joined and was told nothing yet: then Postgres does not have the place.
    const known = [...rows, ...postgres.orders.find(null, (row) => row.userId === userId)];
    const jti = known.find((row) => row.orderNo === orderNo)?.jti ?? world.waitlistWatch?.tokenOf(orderNo);
    if (jti === undefined) world.violate(`6: ${userId} was given ${orderNo}, which was no place`);
    else ledger.accepted.push({ userId, jti, orderNo, quantity: 1 });
    ledger.count('given');
    world.tell(userId, `told that ${orderNo} was given`);
  }
  return place;
}

async function leave(world: World, userId: string): Promise<null> {
  const { ledger, time } = world;
  const places = ledger.placesOf(userId);
  for (const place of places) place.askedToLeaveAt ??= time.now;
  for (let ask = 1; ask <= ASKS; ask += 1) {
    const answer = await world.request(async (web) => {
      await web.api.leaveWaitlist(SALE_ID, userId);
      return 'left';
    });
    if (answer === 'left') {
      for (const place of places) place.leftAt ??= time.now;
      ledger.count('waitlist left');
      world.tell(userId, 'told that the place is left');
      return null;
    }
    await time.sleep(1_000);
  }
  return null;
}
