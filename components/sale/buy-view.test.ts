import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_ATTEMPT } from '@/components/attempt/attempt';
import type { SaleState } from '@/lib/contract/shapes/sale';
import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';
import { USUAL_NUMBERS } from '@/lib/contract/words/sale';
import { type BuyInput, buyView, showsChallenge } from './buy-view';

const NOW = 1_795_000_000_000;

const liveState: SaleState = {
  saleId: 's1',
  status: 'live',
  serverTime: NOW,
  startsAt: NOW - 60_000,
  endsAt: NOW + 600_000,
  entryOpensAt: NOW - 600_000,
  stock: { total: 100, available: 40 },
  paused: false,
  gate: 'g',
  soldOutAt: null,
};
const entry = { entryToken: 't', expiresAt: NOW + 600_000 };
const ready = { ...NO_ATTEMPT, entry };
const base: BuyInput = {
  now: NOW,
  startsAt: liveState.startsAt,
  state: liveState,
  failures: 0,
  session: 'signed_in',
  reservation: null,
  own: 'unknown',
  isReserving: false,
  reserveRefusal: null,
  sale: USUAL_NUMBERS,
  waitlist: null,
  choice: { variant: 0, left: null },
  attempt: ready,
  entryRefusal: null,
  entryRetryAt: null,
  isChallenged: false,
  retryAt: null,
  line: null,
  order: null,
};
const kind = (change: Partial<BuyInput>) => buyView({ ...base, ...change }).kind;
const scheduled: SaleState = { ...liveState, status: 'scheduled', gate: null, startsAt: NOW + 5000 };

describe('[C10] a purchase that waits in a queue', () => {
  const order = (status: 'undecided' | 'queued') => ({ status, payBy: null });

  it('is being decided until the server says that it is accepted, also after a reload', () => {
    const attempt = { ...ready, orderNo: '1', isUndecided: true };
    expect(kind({ attempt })).toBe('deciding');
    expect(kind({ attempt, order: order('undecided') })).toBe('deciding');
    expect(kind({ attempt, order: order('queued') })).toBe('waiting');
    // The server knows better than what the browser remembers.
    expect(kind({ attempt: { ...attempt, isUndecided: false }, order: order('undecided') })).toBe('deciding');
    expect(kind({ attempt: { ...attempt, isUndecided: false } })).toBe('waiting');
  });

  it('ends, if it is refused, with the reason beside a button that opens again', () => {
    const refused = { ...ready, refusal: 'NOT_DECIDED' };
    expect(buyView({ ...base, attempt: refused })).toMatchObject({ kind: 'buy', refusal: 'NOT_DECIDED' });
    expect(kind({ attempt: { ...ready, refusal: 'LIMIT_REACHED' } })).toBe('notEligible');
  });
});

describe('[A4] what opens the button', () => {
  it('is open for a signed-in shopper with a token while the server says live and gives a gate', () => {
    expect(kind({})).toBe('buy');
  });

  it('stays shut before the start and until the gate arrives, whatever the clock shows', () => {
    expect(kind({ state: scheduled })).toBe('scheduled');
    expect(kind({ state: { ...scheduled, startsAt: NOW - 1 } })).toBe('opening');
    expect(kind({ state: { ...liveState, gate: null } })).toBe('opening');
  });

  it('is never open unless the last state is live with a gate', () => {
    const status = fc.constantFrom('scheduled', 'live', 'paused', 'sold_out', 'ended');
    fc.assert(
      fc.property(
        fc.option(
          fc.record({
            status,
            gate: fc.option(fc.constant('g')),
            startsIn: fc.integer({ min: -9e4, max: 9e4 }),
          }),
        ),
        fc.nat(5),
        fc.constantFrom('loading', 'signed_out', 'signed_in'),
        fc.option(fc.constant(entry)),
        (state, failures, session, token) => {
          const given = state && {
            ...liveState,
            status: state.status as SaleState['status'],
            gate: state.gate,
            startsAt: NOW + state.startsIn,
          };
          const shown = kind({
            state: given,
            failures,
            session: session as BuyInput['session'],
            attempt: { ...NO_ATTEMPT, entry: token },
          });
          const mayOpen =
            given?.status === 'live' &&
            given.gate !== null &&
            session === 'signed_in' &&
            token !== null &&
            failures < 2;
          expect(shown === 'buy').toBe(mayOpen);
        },
      ),
    );
  });

  it('asks signed-out shoppers to sign in once it is live', () => {
    expect(kind({ session: 'signed_out' })).toBe('signIn');
    expect(kind({ session: 'signed_out', state: scheduled })).toBe('scheduled');
  });

  it('waits for the session and the token', () => {
    expect(kind({ session: 'loading' })).toBe('preparing');
    expect(kind({ attempt: NO_ATTEMPT })).toBe('preparing');
    expect(kind({ attempt: { ...ready, entry: { ...entry, expiresAt: NOW + 1000 } } })).toBe('preparing');
  });

  it('[A6] says when a token that was refused for the moment is asked for again', () => {
    const waiting = { ...base, attempt: NO_ATTEMPT, entryRetryAt: NOW + 4000 };
    expect(buyView(waiting)).toEqual({ kind: 'entryRetrying', retryAt: NOW + 4000 });
    expect(buyView({ ...waiting, now: NOW + 4000 }).kind).toBe('preparing');
    expect(buyView({ ...waiting, attempt: ready }).kind).toBe('buy');
    expect(buyView({ ...waiting, state: scheduled }).kind).toBe('scheduled');
  });

  it('says who may not buy', () => {
    expect(buyView({ ...base, entryRefusal: 'LEVEL_TOO_LOW' })).toEqual({
      kind: 'notEligible',
      code: 'LEVEL_TOO_LOW',
    });
    expect(kind({ attempt: { ...ready, refusal: 'LIMIT_REACHED' } })).toBe('notEligible');
  });

  it('tells sold out, paused and ended apart', () => {
    expect(kind({ state: { ...liveState, status: 'sold_out' } })).toBe('soldOut');
    expect(kind({ state: { ...liveState, status: 'paused' } })).toBe('paused');
    expect(kind({ state: { ...liveState, status: 'ended' } })).toBe('ended');
    expect(kind({ state: { ...liveState, endsAt: NOW } })).toBe('ended');
  });
});

describe('[H1 H2] a sale that takes reservations', () => {
  const window = { opensAt: NOW - 1000, closesAt: NOW + 1000 };
  const taking = (change: Partial<BuyInput>) =>
    buyView({
      ...base,
      state: { ...scheduled, startsAt: NOW + 9000 },
      reservation: window,
      attempt: NO_ATTEMPT,
      ...change,
    });

  it('offers reserving while the window is open, also while the state is down', () => {
    expect(taking({ own: 'none' })).toEqual({ kind: 'reserve', closesAt: window.closesAt, refusal: null });
    expect(taking({ own: 'none', state: null, failures: 3, startsAt: NOW + 9000 }).kind).toBe('reserve');
    expect(taking({ own: 'none', reserveRefusal: 'NETWORK' })).toMatchObject({ refusal: 'NETWORK' });
    expect(taking({ own: 'none', isReserving: true }).kind).toBe('reserving');
    expect(taking({ own: 'unknown' }).kind).toBe('loading');
    expect(taking({ session: 'signed_out' }).kind).toBe('reserveSignIn');
    expect(taking({ own: 'none', now: window.opensAt - 1 })).toEqual({
      kind: 'reserveSoon',
      opensAt: window.opensAt,
    });
  });

  it('says that it is reserved, and lets go of it only while the window is open', () => {
    expect(taking({ own: 'standing' })).toEqual({ kind: 'reserved', mayCancel: true });
    expect(taking({ own: 'standing', attempt: ready })).toEqual({ kind: 'reserved', mayCancel: true });
    const over = { own: 'standing', now: window.closesAt } as const;
    expect(taking(over)).toEqual({ kind: 'reserved', mayCancel: false });
    expect(taking({ ...over, attempt: ready })).toMatchObject({ kind: 'scheduled', isReady: true });
  });

  it('comes before a waiting room, until it stands and can be taken back no more', () => {
    const soon = { line: { kind: 'soon', opensAt: NOW + 2000 } } as const;
    const join = { line: { kind: 'join', refusal: null, isRunning: false, joined: 3 } } as const;
    for (const line of [soon, join]) {
      expect(taking({ ...line, own: 'none' }).kind).toBe('reserve');
      expect(taking({ ...line, session: 'signed_out' }).kind).toBe('reserveSignIn');
      expect(taking({ ...line, own: 'none', now: window.closesAt }).kind).toBe('notReserved');
    }
    expect(taking({ ...soon, own: 'standing' })).toEqual({ kind: 'reserved', mayCancel: true });
    expect(taking({ ...join, own: 'standing' }).kind).toBe('line');
    const live = { ...join, state: liveState };
    expect(taking({ ...live, own: 'none' })).toEqual({ kind: 'notEligible', code: 'NOT_RESERVED' });
    expect(taking({ ...live, own: 'standing' }).kind).toBe('line');
  });

  it('tells those who did not reserve so, before and after the start', () => {
    expect(taking({ own: 'none', now: window.closesAt })).toEqual({
      kind: 'notReserved',
      closesAt: window.closesAt,
    });
    expect(taking({ session: 'signed_out', now: window.closesAt })).toMatchObject({
      kind: 'scheduled',
      isReservedOnly: true,
    });
    const live = { state: liveState, attempt: ready };
    expect(taking({ ...live, own: 'none' })).toEqual({ kind: 'notEligible', code: 'NOT_RESERVED' });
    expect(taking({ ...live, own: 'standing' }).kind).toBe('buy');
    expect(taking({ ...live, own: 'unknown', attempt: NO_ATTEMPT }).kind).toBe('preparing');
    expect(taking({ ...live, own: 'standing', attempt: { ...ready, refusal: 'NOT_RESERVED' } }).kind).toBe(
      'notEligible',
    );
  });
});

describe('[A5] after a click', () => {
  it('locks for as long as the sale says, then opens again', () => {
    const attempt = { ...ready, clickedAt: NOW, refusal: 'PAUSED' };
    expect(buyView({ ...base, attempt, now: NOW + 9999 })).toEqual({
      kind: 'locked',
      until: NOW + 10_000,
      refusal: 'PAUSED',
    });
    expect(kind({ attempt, now: NOW + 10_000 })).toBe('buy');
    const sale = { ...USUAL_NUMBERS, clickLockSec: 3 };
    expect(kind({ attempt, sale, now: NOW + 2999 })).toBe('locked');
    expect(kind({ attempt, sale, now: NOW + 3000 })).toBe('buy');
  });

  it('a pending attempt is being sent or waits for its next try, also when the state is down', () => {
    const attempt = { ...ready, isPending: true, clickedAt: NOW };
    expect(kind({ attempt })).toBe('sending');
    expect(kind({ attempt, failures: 3 })).toBe('sending');
    expect(kind({ attempt, retryAt: NOW + 4000 })).toBe('retrying');
    expect(kind({ attempt, retryAt: NOW - 1 })).toBe('sending');
  });

  it('goes on after the end: the server says whether it came in time', () => {
    const over = { state: { ...liveState, status: 'ended', gate: null } } as const;
    const attempt = { ...ready, isPending: true, clickedAt: NOW };
    expect(kind({ ...over, attempt })).toBe('sending');
    expect(kind({ ...over, attempt, retryAt: NOW + 4000 })).toBe('retrying');
    expect(kind({ ...over, attempt: { ...attempt, isPending: false } })).toBe('ended');
    expect(kind({ ...over, attempt: { ...attempt, entry: null } })).toBe('ended');
    expect(kind({ ...over, attempt, session: 'signed_out' })).toBe('ended');
  });

  it('an order is shown wherever the shopper opens the page: waiting, to be paid, lapsing, owned', () => {
    const attempt = { ...ready, orderNo: '7' };
    const order = (
      status: 'queued' | 'pending_payment' | 'paid' | 'refunded' | 'cancelled' | 'failed',
      payBy: number | null,
    ) => kind({ attempt, order: { status, payBy } });
    expect(kind({ attempt })).toBe('waiting');
    expect(order('queued', null)).toBe('waiting');
    expect(order('pending_payment', NOW + 1000)).toBe('pay');
    expect(order('pending_payment', NOW)).toBe('lapsing');
    expect(order('paid', NOW)).toBe('owned');
    expect(order('refunded', NOW)).toBe('buy');
    expect(order('cancelled', NOW)).toBe('buy');
    expect(order('failed', null)).toBe('buy');
  });

  it('the order outlives the sale', () => {
    const attempt = { ...ready, orderNo: '7' };
    const order = { status: 'pending_payment', payBy: NOW + 1000 } as const;
    expect(kind({ attempt, order, state: { ...liveState, status: 'ended' } })).toBe('pay');
  });

  it("another shopper's attempt on this device is not shown to one who is signed out", () => {
    expect(kind({ session: 'signed_out', attempt: { ...ready, orderNo: '7' } })).toBe('signIn');
  });
});

describe('[O3 M2] a waitlist of a sale with variants', () => {
  const none: WaitlistPlace = {
    state: 'none',
    variant: 0,
    ahead: null,
    waiting: 0,
    orderNo: null,
    isOpen: true,
    askAgainMs: null,
  };
  const listOf = (place: Partial<WaitlistPlace>) => ({
    place: { ...none, ...place },
    isJoining: false,
    refusal: null,
  });
  const out = { variant: 2, left: 0 };
  const left = { variant: 1, left: 3 };

  it('is offered for the chosen variant as soon as that is sold out, and never for one that is left', () => {
    const waitlist = listOf({});
    expect(kind({ waitlist, choice: left })).toBe('buy');
    expect(kind({ waitlist, choice: { variant: 0, left: null } })).toBe('buy');
    expect(kind({ waitlist, choice: out })).toBe('waitlistJoin');
    expect(kind({ waitlist: null, choice: out })).toBe('buy');
    expect(kind({ waitlist, choice: out, session: 'signed_out' })).toBe('waitlistSignIn');
    expect(kind({ waitlist, choice: out, state: { ...liveState, status: 'paused', gate: null } })).toBe(
      'paused',
    );
    expect(kind({ waitlist, choice: out, state: scheduled })).toBe('scheduled');
  });

  it('asks whoever has no token for the challenge first, and keeps it on the page', () => {
    const late = { waitlist: listOf({}), choice: out, attempt: NO_ATTEMPT };
    const state: SaleState = { ...liveState, status: 'sold_out', stock: { total: 100, available: 0 } };
    const view = buyView({ ...base, ...late, state, isChallenged: true });
    expect(view.kind).toBe('challenge');
    expect(showsChallenge({ view, attempt: NO_ATTEMPT, now: NOW })).toBe(true);
    expect(kind({ ...late, state })).toBe('soldOut');
    expect(kind({ ...late, state, isChallenged: true, waitlist: null })).toBe('soldOut');
    expect(kind({ ...late, state, isChallenged: true, attempt: ready })).toBe('waitlistJoin');
  });

  it('shows the place, also in a waiting room, and lets another variant be bought meanwhile, but not be waited for', () => {
    const waitlist = listOf({ state: 'waiting', variant: 2, ahead: 4 });
    const inLine = { kind: 'inLine', ahead: 4 };
    for (const choice of [out, { ...out, left: 1 }, { variant: 3, left: 0 }, { variant: 0, left: null }])
      expect(buyView({ ...base, waitlist, choice })).toEqual(inLine);
    expect(kind({ waitlist, choice: left })).toBe('buy');
    const line = { kind: 'over', canRejoin: true, refusal: null } as const;
    expect(kind({ waitlist, choice: out, attempt: NO_ATTEMPT, line })).toBe('inLine');
    expect(kind({ waitlist, choice: left, attempt: NO_ATTEMPT, line })).toBe('line');
  });
});

describe('[A7] when the state is down', () => {
  it('one lost answer changes nothing, two make the button say so', () => {
    expect(kind({ failures: 1 })).toBe('buy');
    expect(kind({ failures: 2 })).toBe('unreachable');
  });

  it('counts down by the last known clock and does not open at the start', () => {
    expect(kind({ state: null, failures: 3, startsAt: NOW + 5000 })).toBe('scheduled');
    expect(kind({ state: null, failures: 3, startsAt: NOW - 1 })).toBe('unreachable');
    expect(kind({ state: scheduled, failures: 1, now: NOW + 6000 })).toBe('unreachable');
  });

  it('shows nothing to press before the page is alive', () => {
    expect(kind({ now: null, state: null })).toBe('loading');
  });
});
