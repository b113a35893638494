import { digestOf, hashOf, recomputePlaces } from './recompute-order';
import type { Case, LineRow, Violation } from './types';

/**
 * Checks a waiting room or a draw: numbers are there once and without a gap, the order is the one that anybody can recompute
 * from what was committed to, nobody came in out of turn, and the winners of a draw are the first of that order.
 */
export function checkLine(round: Case): Violation[] {
  const { books, ledger, facts } = round;
  const { line } = books;
  if (!line) return [];
  const found: Violation[] = [];
  const broken = (rule: string, problem: string, ...orderNos: string[]) =>
    found.push({ rule, problem, orderNos });
  const { entries, early, seed, seedHash } = line;

  if (entries.some(({ number }, at) => number !== at))
    broken('one place each', `${entries.length} numbers are not those from 0`);
  const live = entries.filter(({ leftAt }) => leftAt === null).map(({ userId }) => userId);
  if (new Set(live).size < live.length) broken('one place each', 'somebody has two places in the line');
  if (hashOf(seed) !== seedHash || [...ledger.seedHashes].some((hash) => hash !== seedHash))
    broken('the order can be recomputed', 'the seed is not the one that was committed to');
  if (early === null) {
    if (entries.length > 0) broken('the order can be recomputed', 'the line was never put in order');
    return found;
  }
  const inTime = entries.filter(({ joinedAt }) => joinedAt < facts.startsAt).length;
  if (early !== inTime)
    broken('the order can be recomputed', `${early} count as early, ${inTime} joined before the start`);
  const shuffled = entries.slice(0, early);
  if (digestOf(shuffled.map(({ nonce }) => nonce)) !== line.noncesDigest)
    broken('the order can be recomputed', 'the digest of the random values is another');
  const places = recomputePlaces(seed, shuffled, line.beacon);
  const placeOf = (number: number) => places[number] ?? number;

  for (const { of, number, place, userId } of ledger.places)
    if (of === 'line' && number !== null && place !== null && place !== placeOf(number))
      broken('the order can be recomputed', `${userId} was told place ${place}, and has ${placeOf(number)}`);
  for (const { number, place } of entries)
    if (place !== null && place !== placeOf(number))
      broken('the order can be recomputed', `number ${number} has place ${place}, not ${placeOf(number)}`);
  if (facts.kind === 'draw') checkWinners(round, line, placeOf, broken);
  else checkTurns(round, line, placeOf, broken);
  return found;
}

type Break = (rule: string, problem: string, ...orderNos: string[]) => void;

/** Whoever enters has been admitted, and nobody is refused after somebody behind him has entered. */
function checkTurns(
  { ledger, books }: Case,
  { entries, admitted }: LineRow,
  placeOf: (number: number) => number,
  broken: Break,
): void {
  const early = entries.find(({ number, enteredAt }) => enteredAt !== null && placeOf(number) >= admitted);
  if (early) broken('nobody is passed over', `number ${early.number} came in out of turn`);
  const entered = new Set(entries.filter(({ enteredAt }) => enteredAt !== null).map(({ userId }) => userId));
  const stranger = books.orders.find(({ userId }) => !entered.has(userId));
  if (stranger) broken('nobody is passed over', `${stranger.userId} bought without a turn`, stranger.orderNo);
  const grants = ledger.places.flatMap(({ act, httpStatus, userId, answeredAt }) => {
    if (act !== 'enter' || httpStatus !== 200) return [];
    const own = entries.findLast((entry) => entry.userId === userId && entry.enteredAt !== null);
    return own ? [{ place: placeOf(own.number), answeredAt }] : [];
  });
  for (const { act, code, place, userId, askedAt } of ledger.places) {
    if (act !== 'enter' || code !== 'NOT_ADMITTED' || place === null) continue;
    const ahead = grants.find((grant) => grant.place > place && grant.answeredAt < askedAt);
    if (ahead)
      broken('nobody is passed over', `${userId} at ${place} was refused after ${ahead.place} came in`);
  }
}

/** Who was drawn and neither left nor may no longer take part waits for units in the order of the draw. */
function checkWinners(
  { ledger, books }: Case,
  { entries, isEnlisted }: LineRow,
  placeOf: (number: number) => number,
  broken: Break,
): void {
  if (!isEnlisted) broken('winners as drawn', 'the draw was not finished');
  const leavers = new Set(
    ledger.places.filter(({ of, act }) => of === 'line' && act === 'leave').map(({ userId }) => userId),
  );
  for (const { userId, passedOver, number, leftAt } of entries) {
    // Nobody is banned or blocked in a round.
    if (passedOver !== null && (passedOver !== 'left' || !leavers.has(userId) || leftAt === null))
      broken('nobody is passed over', `number ${number} of ${userId} was passed over: ${passedOver}`);
  }
  const drawn = entries
    .filter(({ passedOver }) => passedOver === null)
    .sort((one, other) => placeOf(one.number) - placeOf(other.number));
  const listed = new Map(books.waitlist.map((row) => [row.orderNo, row]));
  let before = 0;
  for (const { userId, number, orderNo } of drawn) {
    const row = orderNo === null ? undefined : listed.get(orderNo);
    if (row?.userId !== userId) {
      // Somebody who has left meanwhile is not put there again.
      if (!books.orders.some((order) => order.orderNo === orderNo))
        broken('winners as drawn', `number ${number} of ${userId} was drawn and waits nowhere`);
      continue;
    }
    if (row.number <= before)
      broken('winners as drawn', `number ${number} of ${userId} waits ahead of an earlier place`);
    before = row.number;
  }
  const own = new Set(drawn.map(({ orderNo }) => orderNo));
  for (const { orderNo, userId } of books.orders)
    if (!own.has(orderNo)) broken('winners as drawn', `${userId} has a unit and was not drawn`, orderNo);
}
