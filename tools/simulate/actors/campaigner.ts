import type { EntryResult } from '@/lib/checkout/entry/issue-entry';
import type { Random } from '@/tools/harness/random';
import type { World } from '../world';

const ENTRIES = 6;
/** So long after the last fault a shopper tries once more: what was late has arrived by then. */
const LAST_CALL_MS = 60_000;

type Ways = {
  buy: (asked: { saleId: string; jti: string; quantity: number }, token: string) => Promise<string | null>;
  afterwards: (orderNo: string) => Promise<void>;
};

/**
 * Plays a shopper who goes from one sale of a campaign to the other: enters, buys, pays, cancels or forgets, and sometimes uses a
 * token that is older than what another sale took back since. Once all works again, the shopper tries a last time in each
 * sale: whoever may still have a unit must not hear of the campaign's limit then.
 */
export async function shopAround(world: World, random: Random, userId: string, ways: Ways): Promise<void> {
  const { time, saleIds } = world;
  const tokens = new Map<string, string>();
  for (let nth = random.int(2, 5); nth > 0; nth -= 1) {
    const saleId = random.pick(saleIds);
    const isOld = tokens.has(saleId) && random.chance(0.3);
    const token = isOld ? tokens.get(saleId) : await enter(world, saleId, userId);
    if (token) {
      tokens.set(saleId, token);
      const orderNo = await ways.buy(
        { saleId, jti: jtiOf(token), quantity: random.chance(0.7) ? 1 : 2 },
        token,
      );
      if (orderNo) {
        tokens.delete(saleId);
        // Some go on to the next sale at once.
        const rest = ways.afterwards(orderNo);
        if (random.chance(0.6)) await rest;
        else rest.catch(world.fail);
      }
    }
    await time.sleep(random.next() * 8_000);
  }
  await time.sleep(Math.max(0, world.wellFrom + LAST_CALL_MS - time.now));
  for (const saleId of saleIds) await tryLast(world, saleId, userId, ways);
}

/** Tries once more, and judges the answer. */
async function tryLast(world: World, saleId: string, userId: string, ways: Ways): Promise<void> {
  const { campaignWatch } = world;
  const mayHave = () => campaignWatch?.mayHave(saleId, userId) ?? false;
  const wasFree = mayHave();
  const result = await world.request<EntryResult>((web) => web.api.issueEntry(saleId, { userId, level: 0 }));
  if (wasFree && mayHave() && result && result.status !== 'entered')
    world.violate(`4: ${userId} may have another unit of ${saleId}, and was refused entry: ${result.status}`);
  if (result?.status !== 'entered') return;
  const orderNo = await ways.buy({ saleId, jti: jtiOf(result.entryToken), quantity: 1 }, result.entryToken);
  if (wasFree && mayHave() && !orderNo && campaignWatch?.hasUnit(saleId))
    world.violate(`4: ${userId} may have another unit of ${saleId}, entered, and could not buy it`);
  world.ledger.count(orderNo ? 'last bought' : 'last not bought');
  if (orderNo) await ways.afterwards(orderNo);
}

/** Asks for entry until there is an answer. @returns the token, or null */
async function enter(world: World, saleId: string, userId: string): Promise<string | null> {
  for (let nth = 1; nth <= ENTRIES; nth += 1) {
    const result = await world.request<EntryResult>((web) =>
      web.api.issueEntry(saleId, { userId, level: 0 }),
    );
    world.ledger.count(`entry ${result?.status ?? 'no answer'}`);
    if (result?.status === 'entered') return result.entryToken;
    if (result && result.status !== 'busy') return null;
    await world.time.sleep(500 + world.random.next() * 1_500);
  }
  return null;
}

const jtiOf = (token: string): string => token.split(' ')[1] ?? '';
