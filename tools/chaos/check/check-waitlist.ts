import { pausesOf } from './pauses';
import { firstExcess, spanOf } from './timeline';
import type { Case, OrderRow, Violation, WaitlistRow } from './types';

/** Redis tells when a unit was given, Postgres and the clients when somebody joined. */
const CLOCKS_APART_MS = 50;

/**
 * Checks a waitlist: nobody has two places; each unit is given to one place, as an order of its shopper and token; units go
 * to the first who waits, and to nobody else while somebody waits; none is idle.
 */
export function checkWaitlist({ ledger, books, facts }: Case): Violation[] {
  const found: Violation[] = [];
  const broken = (rule: string, problem: string, ...orderNos: string[]) =>
    found.push({ rule, problem, orderNos });
  const orders = new Map(books.orders.map((order) => [order.orderNo, order]));
  const letters = new Set(books.deadLetters.map(({ orderNo }) => orderNo));
  const { waitlist, waiting, redis } = books;
  const pauses = pausesOf(ledger.merchant);
  const isOpen = (row: WaitlistRow) =>
    row.leftAt === null && row.passedAt === null && !orders.has(row.orderNo) && !letters.has(row.orderNo);

  const open = waitlist.filter(isOpen);
  const owners = new Map<string, WaitlistRow>();
  for (const row of open) {
    const other = owners.get(row.userId);
    if (other) broken('one place each', `${row.userId} waits with ${other.number} and with ${row.number}`);
    owners.set(row.userId, row);
  }
  const inRedis = new Map(waiting.map(({ userId, number }) => [userId, number]));
  for (const { userId, number, orderNo } of open)
    if (inRedis.get(userId) !== number)
      broken('a place told is kept', `${userId} has place ${number}, which Redis does not know`, orderNo);
  if (new Set(waiting.map(({ number }) => number)).size < waiting.length)
    broken('one place each', 'two people wait with one number');
  for (const { userId, number } of waiting)
    if (owners.get(userId)?.number !== number)
      broken('one place each', `${userId} waits with ${number} in Redis alone`);
  if (waiting.length > 0 && (redis?.available ?? 0) > 0)
    broken('nobody is passed over', `${redis?.available} units are idle while ${waiting.length} people wait`);

  for (const { orderNo, userId, jti, number } of waitlist) {
    const order = orders.get(orderNo);
    if (order && pauses.some(({ from, until }) => isWithin(order.acceptedAt, from, until)))
      broken('paused sells nothing', `${orderNo} was given while the sale was paused`, orderNo);
    if (order && (order.userId !== userId || order.jti !== jti || order.quantity !== 1))
      broken('a unit is given once', `place ${number} of ${userId} became an order of another`, orderNo);
  }
  checkPassedOver({ ledger, books, facts }, open, orders, broken);
  if (books.epoch === facts.epoch) {
    checkSequence(waitlist, orders, broken);
    checkOvertaken({ ledger, books, facts }, orders, broken);
  }
  return found;
}

const isWithin = (at: number, from: number, until: number): boolean =>
  at > from + CLOCKS_APART_MS && at < until - CLOCKS_APART_MS;

type Break = (rule: string, problem: string, ...orderNos: string[]) => void;

/**
 * Nobody with a higher number has a unit while a lower one waits. Whoever was passed over had as many units as one person may
 * have at some moment, or had bought with the token of the place.
 */
function checkPassedOver(
  { books, facts }: Case,
  open: readonly WaitlistRow[],
  orders: Map<string, OrderRow>,
  broken: Break,
): void {
  const [first] = open;
  const later = first && books.waitlist.find((row) => row.number > first.number && orders.has(row.orderNo));
  if (later)
    broken('nobody is passed over', `${later.number} has a unit, ${first.number} waits`, later.orderNo);
  for (const { userId, passedAt, number, jti } of books.waitlist) {
    if (passedAt === null) continue;
    const own = books.orders.filter((order) => order.userId === userId);
    const hasBought = own.some((order) => order.jti === jti);
    if (!hasBought && !firstExcess(own.map(spanOf), () => facts.limitPerUser - 1))
      broken(
        'nobody is passed over',
        `place ${number} of ${userId} was passed over, without that many units`,
      );
  }
}

/** Units are given in the order of the numbers. */
function checkSequence(waitlist: readonly WaitlistRow[], orders: Map<string, OrderRow>, broken: Break): void {
  let before = 0;
  for (const { number, orderNo } of waitlist) {
    const at = orders.get(orderNo)?.acceptedAt;
    if (at === undefined) continue;
    if (at < before)
      broken('nobody is passed over', `place ${number} got its unit before lower ones`, orderNo);
    before = at;
  }
}

/** While somebody waits, nobody buys otherwise. */
function checkOvertaken({ ledger, books }: Case, orders: Map<string, OrderRow>, broken: Break): void {
  const given = new Set(books.waitlist.map(({ orderNo }) => orderNo));
  const leaves = ledger.places.filter(({ of, act }) => of === 'waitlist' && act === 'leave');
  const waits = books.waitlist.map(({ userId, orderNo, joinedAt, leftAt, passedAt }) => {
    const asked = leaves.find((leave) => leave.userId === userId && leave.askedAt > joinedAt);
    const ends = [orders.get(orderNo)?.acceptedAt, leftAt, passedAt, asked?.askedAt];
    // A place that was passed over was so up to a second before Postgres heard of it.
    const to = Math.min(...ends.map((at) => at ?? Number.POSITIVE_INFINITY));
    return { userId, from: joinedAt + CLOCKS_APART_MS, to: passedAt === null ? to : joinedAt };
  });
  for (const { orderNo, acceptedAt, status } of books.orders) {
    if (given.has(orderNo) || status === 'failed') continue;
    const overtaken = waits.find(({ from, to }) => acceptedAt > from && acceptedAt < to - CLOCKS_APART_MS);
    if (overtaken)
      broken('nobody is passed over', `${orderNo} was bought while ${overtaken.userId} waited`, orderNo);
  }
}
