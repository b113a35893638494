import type { OwnPlace } from '@/lib/contract/shapes/line';
import type { Random } from '@/tools/harness/random';
import { SALE_ID, type World } from '../world';

const ASKS = 8;
const NONCE_BYTES = 16;
/** Whoever is let in buys at once or does not buy: a call may take longer here than the rest of a token's life. */
const BUYS_WITHIN_MS = 15_000;
const PATIENCE_MS = 90_000;

/**
 * Plays a shopper in a waiting room: joins, looks now and then how far the line is, enters when the turn comes, and then
 * buys. Some leave, some forget, some push forward, some come when the turn is over and join again.
 * @param buy tries to buy with an entry token
 * @returns the order's number, if a purchase was accepted
 */
export async function standInLine(
  world: World,
  random: Random,
  userId: string,
  buy: (token: string, untilMs: number) => Promise<string | null>,
): Promise<string | null> {
  const { time } = world;
  const plan = random.weighted({ buy: 10, push: 3, leave: 2, forget: 1, dawdle: 2 });
  const until = time.now + PATIENCE_MS * (0.3 + random.next());
  if ((await joinLine(world, random, userId)) !== 'placed' || plan === 'forget') return null;
  while (time.now < until) {
    await time.sleep(500 + random.next() * 3_000);
    if (plan === 'leave' && random.chance(0.3)) return leaveLine(world, userId);
    const place = await lookAtPlace(world, userId);
    if (place?.isOver && (await joinLine(world, random, userId)) !== 'placed') return null;
    const hasTurn = place && !place.isOver && place.turnEndsAt !== null;
    if (!hasTurn && !(plan === 'push' && random.chance(0.5))) continue;
    if (plan === 'dawdle' && random.chance(0.7)) {
      await time.sleep(random.next() * 40_000);
      continue;
    }
    const token = await enter(world, userId);
    if (token) return buy(token, time.now + BUYS_WITHIN_MS);
  }
  return null;
}

/** Joins, impatiently: some click twice. @returns whether the shopper heard of a place, or of a refusal; null: no answer */
export async function joinLine(
  world: World,
  random: Random,
  userId: string,
): Promise<'placed' | 'refused' | null> {
  const nonce = Uint8Array.from({ length: NONCE_BYTES }, () => random.int(0, 255));
  const ask = async () => {
    const result = await world.request((web) =>
      web.api.joinSaleLine(SALE_ID, { userId, device: '', level: 0 }, { address: null, nonce }),
    );
    world.ledger.count(`line ${result?.status ?? 'no answer'}`);
    if (!result) return null;
    if (!('place' in result)) return 'refused' as const;
    world.lineWatch?.hearPlace(userId, result.place);
    return 'placed' as const;
  };
  for (let nth = 1; nth <= ASKS; nth += 1) {
    const clicks = random.chance(0.2) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: clicks }, ask));
    const heard = answers.find((answer) => answer === 'placed') ?? answers.find(Boolean);
    if (heard) return heard;
    await world.time.sleep(200 + random.next() * 2_000);
  }
  return null;
}

/** Asks how far the line is. @returns null: no answer, or nobody knows of a place */
export async function lookAtPlace(world: World, userId: string): Promise<OwnPlace | null> {
  const since = world.time.now;
  const told = await world.request(async (web) => ({ place: await web.api.findOwnPlace(SALE_ID, userId) }));
  if (!told) return null;
  if (told.place) world.lineWatch?.hearPlace(userId, told.place);
  else world.lineWatch?.hearNone(userId, since);
  return told.place;
}

async function enter(world: World, userId: string): Promise<string | null> {
  for (let nth = 1; nth <= ASKS; nth += 1) {
    const since = world.time.now;
    const result = await world.request((web) =>
      web.api.issueEntry(SALE_ID, { userId, level: 0 }, { address: null }),
    );
    world.ledger.count(`entry ${result?.status ?? 'no answer'}`);
    if (result) {
      world.lineWatch?.hearEntry(userId, since, result);
      return result.status === 'entered' ? result.entryToken : null;
    }
    await world.time.sleep(500);
  }
  return null;
}

export async function leaveLine(world: World, userId: string): Promise<null> {
  world.lineWatch?.noteLeaving(userId);
  for (let nth = 1; nth <= ASKS; nth += 1) {
    const answer = await world.request(async (web) => ({ at: await web.api.leaveLine(SALE_ID, userId) }));
    if (answer) {
      world.ledger.count('line left');
      return null;
    }
    await world.time.sleep(1_000);
  }
  return null;
}
