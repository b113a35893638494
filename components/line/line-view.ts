import type { LineState, OwnPlace } from '@/lib/contract/shapes/line';
import { expectedWait } from '@/lib/line/records/expected-wait';

/** The states of the waiting room's panel; it shows one at a time. */
export type LineView =
  | { kind: 'loading' }
  | { kind: 'soon'; opensAt: number }
  | { kind: 'signIn' }
  | { kind: 'join'; refusal: string | null; isRunning: boolean; joined: number }
  | { kind: 'joining' }
  | { kind: 'challenge' }
  | { kind: 'refused'; code: string }
  | { kind: 'closed' }
  | { kind: 'gathering'; joined: number; isStale: boolean }
  | { kind: 'shuffling' }
  | Waiting
  | { kind: 'turn'; endsAt: number | null }
  | { kind: 'over'; canRejoin: boolean; refusal: string | null };

export type Waiting = {
  kind: 'waiting';
  place: number;
  /** At most so many people are in front. */
  ahead: number;
  /** Minutes, from the fewest to the most; null: unknown. */
  wait: { from: number; to: number } | null;
  /**
   * The chance of a unit: `comeback` if all are taken and one that is not paid would be enough; `unlikely` if
   * somebody in front would have to give up, too.
   */
  outlook: 'good' | 'comeback' | 'unlikely';
  isHeld: boolean;
  isStale: boolean;
};

export interface LineInput {
  /** Server time, epoch ms. */
  now: number;
  startsAt: number;
  entryOpensAt: number | null;
  line: LineState | undefined;
  /** Units nobody has; −1: no limit; null: unknown. */
  available: number | null;
  session: 'loading' | 'signed_out' | 'signed_in';
  /** Null: not in the line; undefined: not known yet. */
  own: OwnPlace | null | undefined;
  /** As computed here; null while unknown. */
  place: number | null;
  isJoining: boolean;
  isChallenged: boolean;
  /** Code of the last refusal to join. */
  refusal: string | null;
}

/** Refusals that another press can't change. */
const FINAL = new Set([
  'LEVEL_TOO_LOW',
  'ACCOUNT_TOO_NEW',
  'EMAIL_UNVERIFIED',
  'NOT_RESERVED',
  'BLOCKED',
  'JOINED_TOO_OFTEN',
  'PLACE_TAKEN',
]);

/** Decides what the waiting room shows. Knows the place by the own number and what is the same for everybody. */
export function lineView(input: LineInput): LineView {
  const { now, line, session, own, startsAt, entryOpensAt, refusal } = input;
  if (session === 'loading' || !line || entryOpensAt === null) return { kind: 'loading' };
  const isStale = line.isAway;
  if (!own || session === 'signed_out') {
    if (now < entryOpensAt) return { kind: 'soon', opensAt: entryOpensAt };
    if (line.closed) return { kind: 'closed' };
    if (session === 'signed_out') return { kind: 'signIn' };
    if (own === undefined) return { kind: 'loading' };
    if (input.isJoining) return { kind: 'joining' };
    if (input.isChallenged) return { kind: 'challenge' };
    if (refusal && FINAL.has(refusal)) return { kind: 'refused', code: refusal };
    return { kind: 'join', refusal, isRunning: now >= startsAt, joined: line.joined };
  }
  const place = input.place ?? own.place;
  const hasPassed = own.enteredAt === null && place !== null && place < line.lapsed;
  const hasEnded = own.enteredAt !== null && own.turnEndsAt !== null && now >= own.turnEndsAt;
  if (own.isOver || hasPassed || hasEnded) {
    if (input.isJoining) return { kind: 'joining' };
    if (input.isChallenged) return { kind: 'challenge' };
    return { kind: 'over', canRejoin: !line.closed, refusal };
  }
  if (line.early === null)
    return now < startsAt ? { kind: 'gathering', joined: line.joined, isStale } : { kind: 'shuffling' };
  if (place === null) return { kind: 'shuffling' };
  if (place < line.admitted) return { kind: 'turn', endsAt: own.turnEndsAt };
  const ahead = place - line.admitted;
  return {
    kind: 'waiting',
    place,
    ahead,
    wait: expectedWait(ahead, line.pace),
    outlook: outlookOf(line.reach, input.available, ahead),
    isHeld: line.held,
    isStale,
  };
}

function outlookOf(reach: number, available: number | null, ahead: number): Waiting['outlook'] {
  if (reach === -1) return 'good';
  if (ahead >= reach) return 'unlikely';
  return available === 0 ? 'comeback' : 'good';
}
