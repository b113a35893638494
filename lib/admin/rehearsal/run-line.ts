import 'server-only';
import { randomBytes } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { RehearsedLine } from '@/lib/contract/shapes/rehearsal';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { nextAdmission } from '@/lib/line/next-admission';
import { type AdmissionStep, TOKEN_MS } from '@/lib/line/types';
import { shuffle } from '@/lib/shuffle/shuffle';
import { readStock } from '@/lib/stock/read-stock';
import type { PlannedStander } from './plan-line';
import { type Answered, press } from './run-crowd';
import type { ShadowSale } from './shadow-sale';

/** A worker looks this often. */
const STEP_MS = 250;
/** What a new line begins with: the column's default. */
const FIRST_RATE = 50;
/** The line is followed for so long at most, by its own clock. */
const LONGEST_MS = 1_800_000;
/** So many press at once: its clock waits meanwhile. */
const AT_ONCE = 200;
/** Other work of this process gets a turn after so many steps. */
const STEPS_AT_ONCE = 100;

type Guest = PlannedStander & {
  place: number;
  admittedAt: number;
  enteredAt: number | null;
  answer: 'none' | 'accepted' | 'sold_out' | 'refused';
};

/**
 * Has the crowd wait in a line that lets people in by the rule of the waiting room: who was there at the start is shuffled, the
 * others stand behind. Its clock is its own: the two minutes of a turn that nobody uses pass at once. Purchases are
 * real, on the shadow, and so is their latency; the line is in memory, as nobody of the crowd is in Postgres. Machines count as
 * idle: how busy they are just now says nothing about another clock.
 * @param perMinute the merchant's rate; null: none. @param signal ends it before the next step
 * @throws connection errors; the signal's reason
 */
export async function runLine(
  sale: SaleInfo,
  shadow: ShadowSale,
  { standers, perMinute }: { standers: readonly PlannedStander[]; perMinute: number | null },
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<{ answered: Answered[]; line: RehearsedLine }> {
  const queue = await inOrder(standers);
  const early = queue.filter(({ joinsAtMs }) => joinsAtMs < 0).length;
  const lastsMs = Math.min(LONGEST_MS, sale.endsAt - sale.startsAt);
  const guests: Guest[] = [];
  const answered: Answered[] = [];
  let inside: Guest[] = [];
  let steps: AdmissionStep[] = [];
  let [joined, lapsed, credit, machineRate] = [early, 0, 0, FIRST_RATE];
  let available = (await readStock(shadow.saleId))?.available ?? 0;
  for (let now = 0; now <= lastsMs; now += STEP_MS) {
    signal?.throwIfAborted();
    if ((now / STEP_MS) % STEPS_AT_ONCE === 0) await breathe();
    while ((queue[joined]?.joinsAtMs ?? Number.POSITIVE_INFINITY) <= now) joined += 1;
    for (const guest of inside)
      if (mayEnter(guest, now, lapsed)) guest.enteredAt = guest.admittedAt + guest.entersAfterMs;
    const pressing = inside.filter((guest) => isPressing(guest, now));
    for (let from = 0; from < pressing.length; from += AT_ONCE) {
      const some = pressing.slice(from, from + AT_ONCE).map((guest) => buy(sale, shadow, guest, now));
      for (const answers of await Promise.all(some)) answered.push(...answers);
    }
    if (pressing.length > 0) available = (await readStock(shadow.saleId))?.available ?? 0;
    inside = inside.filter((guest) => isInside(guest, now, lapsed));
    const isOver = available === 0 || (joined === queue.length && guests.length === joined);
    if (isOver && inside.length === 0) break;
    const next = nextAdmission({
      ...{ now, lapsed, steps, machineRate, credit, available, perMinute, busy: 0 },
      ...{ tendedAt: now === 0 ? null : now - STEP_MS, admitted: guests.length },
      ...{ waiting: joined - guests.length, outstanding: inside.length, limitPerUser: sale.limitPerUser },
      ...{ held: false, opened: false, isStopped: false },
    });
    ({ lapsed, credit, machineRate } = next);
    const letIn = queue.slice(guests.length, guests.length + next.admit).map((stander, at): Guest => {
      return { ...stander, place: guests.length + at, admittedAt: now, enteredAt: null, answer: 'none' };
    });
    guests.push(...letIn);
    inside.push(...letIn);
    steps = letIn.length > 0 ? [...next.steps, [now, guests.length]] : next.steps;
    onProgress(guests.length / Math.max(1, queue.length));
  }
  return { answered, line: tell(guests, joined) };
}

/** Those who were there before the start in random order, then the others as they come. */
async function inOrder(standers: readonly PlannedStander[]): Promise<PlannedStander[]> {
  const byJoining = [...standers].sort((a, b) => a.joinsAtMs - b.joinsAtMs);
  const early = byJoining.filter(({ joinsAtMs }) => joinsAtMs < 0);
  const order = await shuffle(randomBytes(32), early.length);
  return [
    ...Array.from(order, (number) => early[number] as PlannedStander),
    ...byJoining.slice(early.length),
  ];
}

const mayEnter = (
  { turn, enteredAt, admittedAt, entersAfterMs, place }: Guest,
  now: number,
  lapsed: number,
) => turn !== 'away' && enteredAt === null && place >= lapsed && admittedAt + entersAfterMs <= now;

const isPressing = ({ turn, enteredAt, pressesAfterMs, answer }: Guest, now: number) =>
  turn === 'buys' && enteredAt !== null && answer === 'none' && enteredAt + pressesAfterMs <= now;

/** Tells whether somebody may still take a unit. */
const isInside = ({ place, enteredAt, answer }: Guest, now: number, lapsed: number) =>
  enteredAt === null ? place >= lapsed : answer !== 'accepted' && now < enteredAt + TOKEN_MS;

/** Presses as often as planned, with one token. The moments are the line's, the latency is real. */
async function buy(sale: SaleInfo, shadow: ShadowSale, guest: Guest, now: number): Promise<Answered[]> {
  const planned = guest.shopper.presses.filter(({ atMs }) => atMs >= 0);
  const answers: Answered[] = [];
  for (const one of planned) {
    const made = { ...one, knowsGate: true, atMs: now };
    const answer = await press(sale, shadow, made, guest.place, performance.now());
    answers.push(answer);
    if (answer.status === 'accepted') guest.answer = 'accepted';
    else if (guest.answer === 'none') guest.answer = answer.status === 'sold_out' ? 'sold_out' : 'refused';
  }
  return answers;
}

function tell(guests: readonly Guest[], joined: number): RehearsedLine {
  const inSecond = new Map<number, number>();
  for (const { admittedAt } of guests) {
    const second = Math.floor(admittedAt / 1_000);
    inSecond.set(second, (inSecond.get(second) ?? 0) + 1);
  }
  const waits = guests.map(({ admittedAt, joinsAtMs }) => admittedAt - Math.max(0, joinsAtMs));
  return {
    joined,
    admitted: guests.length,
    admittedPerSecond: [...inSecond.values()].reduce((most, people) => Math.max(most, people), 0),
    longestWaitMs: waits.reduce((most, wait) => Math.max(most, wait), 0),
    notBought: guests.filter(({ answer }) => answer !== 'accepted').length,
    foundNone: guests.filter(({ answer }) => answer === 'sold_out').length,
    waiting: joined - guests.length,
  };
}
