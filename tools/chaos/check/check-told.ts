import type { PlaceEntry } from '../load/ledger';
import type { Case, Violation } from './types';

/** Refusals that the HTTP contract allows for a shopper who may take part. */
const CONTRACT = new Set([
  'ENTRY_NOT_OPEN',
  'LINE_CLOSED',
  'NOT_ADMITTED',
  'NOT_IN_LINE',
  'TURN_NOT_OVER',
  'TURN_OVER',
  'UNITS_FOR_SALE',
  'LIMIT_REACHED',
  'NOT_STARTED',
  'STOCK_UNAVAILABLE',
  'UNAVAILABLE',
]);

/**
 * Checks what shoppers were told of their places in lines and on waitlists, against each other and against the stores: a place
 * that was told is kept until its shopper gives it up, and nobody has two.
 */
export function checkTold(round: Case): Violation[] {
  const found: Violation[] = [];
  const broken = (rule: string, problem: string) => found.push({ rule, problem, orderNos: [] });
  const byUser = new Map<string, PlaceEntry[]>();
  for (const entry of round.ledger.places) {
    const { httpStatus, code, of, act } = entry;
    const isBroken = httpStatus !== null && httpStatus >= 400 && !CONTRACT.has(code);
    if (isBroken) broken('answers of the contract', `${of} ${act}: ${httpStatus} ${code}`);
    const own = byUser.get(entry.userId);
    if (own) own.push(entry);
    else byUser.set(entry.userId, [entry]);
  }
  const holders = new Map<number, string>();
  for (const [userId, entries] of byUser) {
    const inLine = entries.filter(({ of }) => of === 'line');
    checkNumbers(userId, inLine, round, holders, broken);
    const onList = entries.filter(({ of }) => of === 'waitlist');
    checkWaiting(userId, onList, round, broken);
  }
  return found;
}

type Break = (rule: string, problem: string) => void;

/**
 * Tells whether the shopper may have given the place up between two answers, or let the turn pass. What became of a request
 * to leave that was not confirmed is unknown.
 */
const mayHaveLeft = (entries: readonly PlaceEntry[], from: PlaceEntry, to: PlaceEntry): boolean =>
  entries.some(({ act, code, askedAt, answeredAt, httpStatus }) => {
    if (act !== 'leave' && code !== 'TURN_OVER') return false;
    const until = httpStatus === null || httpStatus >= 500 ? Number.POSITIVE_INFINITY : answeredAt;
    return askedAt <= to.answeredAt && until >= from.askedAt;
  });

function checkNumbers(
  userId: string,
  entries: readonly PlaceEntry[],
  { books }: Case,
  holders: Map<number, string>,
  broken: Break,
): void {
  const rows = books.line?.entries ?? [];
  let last: PlaceEntry | null = null;
  for (const entry of entries.toSorted((one, other) => one.answeredAt - other.answeredAt)) {
    const { number, code } = entry;
    const isGone = code === 'NOT_IN_LINE';
    // An answer may be older than the one before it: only what was asked afterwards counts.
    if (last && entry.askedAt > last.answeredAt && !mayHaveLeft(entries, last, entry)) {
      if (isGone) broken('a place told is kept', `${userId} had number ${last.number}, and then no place`);
      else if (number !== null && number !== last.number)
        broken('a place told is kept', `${userId} had number ${last.number}, and then ${number}`);
    }
    if (number === null) continue;
    const holder = holders.get(number) ?? userId;
    holders.set(number, userId);
    if (holder !== userId) broken('one place each', `number ${number} was told to ${holder} and ${userId}`);
    if (rows[number]?.userId !== userId)
      broken('a place told is kept', `${userId} was told number ${number}, which is not his`);
    last = entry;
  }
  const hasLeft = entries.some(({ act, code }) => act === 'leave' || code === 'TURN_OVER');
  if (last && !hasLeft && rows.some((row) => row.userId === userId && row.leftAt !== null))
    broken('a place told is kept', `${userId} left no place, and lost one`);
}

function checkWaiting(
  userId: string,
  entries: readonly PlaceEntry[],
  { books, facts }: Case,
  broken: Break,
): void {
  let last: PlaceEntry | null = null;
  for (const entry of entries.toSorted((one, other) => one.answeredAt - other.answeredAt)) {
    const { state, ahead } = entry;
    if (last && entry.askedAt > last.answeredAt && !mayHaveLeft(entries, last, entry)) {
      if (state === 'none') broken('a place told is kept', `${userId} waited, and then had no place`);
      // After a loss of Redis whoever had a unit that was never written waits again, ahead of others.
      else if (books.epoch === facts.epoch && (ahead ?? 0) > (last.ahead ?? 0))
        broken('nobody is passed over', `${userId} had ${last.ahead} people ahead, and then ${ahead}`);
    }
    last = state === 'waiting' ? entry : null;
    if (state === 'waiting' && !books.waitlist.some((row) => row.userId === userId))
      broken('a place told is kept', `${userId} was told to wait, and no place is on record`);
  }
  const hasLeft = entries.some(({ act }) => act === 'leave');
  if (!hasLeft && books.waitlist.some((row) => row.userId === userId && row.leftAt !== null))
    broken('a place told is kept', `${userId} left no place on the waitlist, and lost one`);
}
