import { describe, expect, it } from 'vitest';
import type { OwnPlace } from '@/lib/contract/shapes/line';
import { type DrawInput, drawView } from './draw-view';

const STARTS = 1_000_000;
const line = {
  seedHash: 'ab'.repeat(32),
  shuffledWith: null,
  joined: 12,
  early: null,
  admitted: 0,
  lapsed: 0,
  pace: null,
  reach: 10,
  held: false,
  closed: false,
  isAway: false,
} as DrawInput['line'] & object;
const state = { status: 'scheduled', entryOpensAt: STARTS - 1_000, startsAt: STARTS } as DrawInput['state'] &
  object;
const own: OwnPlace = {
  number: 3,
  variant: 0,
  place: null,
  joinedAt: 0,
  enteredAt: null,
  turnEndsAt: null,
  isOver: false,
  pseudonym: 'p',
  draw: { weight: 1, passedOver: null, isFinal: false, orderNo: null },
};
const base: DrawInput = {
  now: STARTS - 500,
  startsAt: STARTS,
  state,
  line,
  session: 'signed_in',
  own: null,
  wish: 0,
  isJoining: false,
  isChallenged: false,
  refusal: null,
  order: null,
};
const kindOf = (changes: Partial<DrawInput>) => drawView({ ...base, ...changes }).kind;
const drawn = { ...line, early: 12, closed: true };
const live = { ...state, status: 'live' as const };
const result = (
  draw: Partial<NonNullable<OwnPlace['draw']>>,
  place: number | null = 5,
): Partial<DrawInput> => ({
  now: STARTS + 5,
  line: drawn,
  state: live,
  own: { ...own, place, draw: { weight: 1, passedOver: null, isFinal: true, orderNo: null, ...draw } },
});

describe('what the panel of a draw shows', () => {
  it('[M4] before the draw: opening, sign in, join, in', () => {
    expect(kindOf({ now: STARTS - 2_000 })).toBe('soon');
    expect(kindOf({ session: 'signed_out' })).toBe('signIn');
    expect(kindOf({})).toBe('join');
    expect(kindOf({ isJoining: true })).toBe('joining');
    expect(kindOf({ isChallenged: true })).toBe('challenge');
    expect(kindOf({ refusal: 'PLACE_TAKEN' })).toBe('refused');
    expect(kindOf({ refusal: 'RATE_LIMITED' })).toBe('join');
    expect(kindOf({ own })).toBe('in');
    expect(kindOf({ own: undefined })).toBe('loading');
  });

  it('[O3 M4] with another wish: enter again, until the close; refused, the place stands', () => {
    const wished = { ...own, variant: 2 };
    expect(kindOf({ own: wished, wish: 2 })).toBe('in');
    expect(drawView({ ...base, own: wished, wish: 1 })).toEqual({
      kind: 'join',
      refusal: null,
      isChange: true,
    });
    expect(kindOf({ own: wished, wish: 1, isJoining: true })).toBe('joining');
    expect(kindOf({ own: wished, wish: 1, refusal: 'JOINED_TOO_OFTEN' })).toBe('join');
    expect(kindOf({ own: wished, wish: 1, now: STARTS })).toBe('drawing');
  });

  it('[M4] nobody joins after the close, whatever the state still says', () => {
    expect(kindOf({ now: STARTS })).toBe('missed');
    expect(kindOf({ line: { ...line, closed: true } })).toBe('missed');
    expect(kindOf({ now: STARTS, session: 'signed_out' })).toBe('missed');
    expect(kindOf({ now: STARTS, own })).toBe('drawing');
    // The draw waits, and says so.
    expect(kindOf({ now: STARTS, own, state: { ...live, status: 'paused' } })).toBe('paused');
  });

  it('[M4] after the draw: won, paid, lapsed, waiting, passed over; never "lost" before all is given', () => {
    expect(kindOf(result({ isFinal: false }))).toBe('drawing');
    expect(kindOf(result({}))).toBe('waiting');
    expect(kindOf(result({ passedOver: 'banned' }))).toBe('passedOver');
    expect(kindOf(result({ orderNo: '7' }))).toBe('won');
    const order = (status: 'paid' | 'refunded' | 'cancelled' | 'pending_payment') => ({
      orderNo: '7',
      status,
      payBy: 9,
    });
    expect(kindOf({ ...result({ orderNo: '7' }), order: order('paid') })).toBe('paid');
    expect(kindOf({ ...result({ orderNo: '7' }), order: order('refunded') })).toBe('refunded');
    expect(kindOf({ ...result({ orderNo: '7' }), order: order('cancelled') })).toBe('lapsed');
    expect(drawView({ ...base, ...result({ orderNo: '7' }), order: order('pending_payment') })).toEqual({
      kind: 'won',
      orderNo: '7',
      payBy: 9,
    });
    expect(kindOf({ ...result({}), state: { ...live, status: 'ended' } })).toBe('ended');
  });
});
