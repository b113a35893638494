import type { LineState, OwnPlace } from '@/lib/contract/shapes/line';
import type { OrderView } from '@/lib/contract/shapes/order';
import type { SaleState } from '@/lib/contract/shapes/sale';
import type { PassedOver } from '@/lib/contract/words/draw';

/** The states of a draw's panel; it shows one at a time. */
export type DrawView =
  | { kind: 'loading' }
  | { kind: 'soon'; opensAt: number }
  | { kind: 'signIn' }
  /** `isChange`: takes part, with another wish. */
  | { kind: 'join'; refusal: string | null; isChange: boolean }
  | { kind: 'joining' }
  | { kind: 'challenge' }
  | { kind: 'refused'; code: string }
  /** Takes part; the draw is to come. */
  | { kind: 'in' }
  /** Did not take part. */
  | { kind: 'missed' }
  | { kind: 'drawing' }
  /** The draw waits until the merchant resumes the sale. */
  | { kind: 'paused' }
  | { kind: 'won'; orderNo: string; payBy: number | null }
  | { kind: 'paid' | 'refunded'; orderNo: string }
  | { kind: 'lapsed'; orderNo: string }
  /** In line for what comes back. */
  | { kind: 'waiting'; place: number; of: number }
  | { kind: 'passedOver'; reason: PassedOver }
  | { kind: 'ended' };

/** The states before the draw closes, and before the page knows. In all of them the same boxes stand above the button, so that it does not move. */
export const BEFORE_CLOSE: ReadonlySet<DrawView['kind']> = new Set<DrawView['kind']>([
  'loading',
  'soon',
  'signIn',
  'join',
  'joining',
  'challenge',
  'in',
]);

export interface DrawInput {
  /** Server time, epoch ms; null before the page knows it. */
  now: number | null;
  startsAt: number;
  state: SaleState | null;
  line: LineState | undefined;
  session: 'loading' | 'signed_out' | 'signed_in';
  /** Null: does not take part; undefined: not known yet. */
  own: OwnPlace | null | undefined;
  /** The variant that is chosen on the page; 0: none. */
  wish: number;
  isJoining: boolean;
  isChallenged: boolean;
  /** Code of the last refusal to join or leave. */
  refusal: string | null;
  order: Pick<OrderView, 'orderNo' | 'status' | 'payBy'> | null;
}

/** Refusals that another press can't change. */
const FINAL = new Set([
  'LEVEL_TOO_LOW',
  'ACCOUNT_TOO_NEW',
  'EMAIL_UNVERIFIED',
  'BLOCKED',
  'JOINED_TOO_OFTEN',
  'PLACE_TAKEN',
]);

/** Decides what the panel of a draw shows. The server's clock closes the draw, and its answer says who has won. */
export function drawView(input: DrawInput): DrawView {
  const { now, startsAt, state, line, session, own } = input;
  if (now === null || !state || !line || session === 'loading') return { kind: 'loading' };
  const isClosed = line.closed || now >= startsAt || state.status !== 'scheduled';
  if (session === 'signed_out') {
    if (isClosed) return { kind: state.status === 'ended' ? 'ended' : 'missed' };
    return now < state.entryOpensAt ? { kind: 'soon', opensAt: state.entryOpensAt } : { kind: 'signIn' };
  }
  if (own === undefined) return { kind: 'loading' };
  if (own === null)
    return isClosed ? { kind: state.status === 'ended' ? 'ended' : 'missed' } : joinView(input, now);
  if (line.early === null) {
    if (!isClosed) return input.wish === own.variant ? { kind: 'in' } : joinView(input, now);
    return { kind: state.status === 'ended' || state.status === 'paused' ? state.status : 'drawing' };
  }
  return resultView(own, line.early, input);
}

function joinView({ state, own, isJoining, isChallenged, refusal }: DrawInput, now: number): DrawView {
  const isChange = !!own;
  if (state && now < state.entryOpensAt) return { kind: 'soon', opensAt: state.entryOpensAt };
  if (isJoining) return { kind: 'joining' };
  if (isChallenged) return { kind: 'challenge' };
  // A shopper who may not change the wish keeps the place.
  const isRefused = refusal !== null && FINAL.has(refusal) && !isChange;
  return isRefused ? { kind: 'refused', code: refusal } : { kind: 'join', refusal, isChange };
}

function resultView({ place, draw }: OwnPlace, early: number, { order, state }: DrawInput): DrawView {
  if (draw?.passedOver) return { kind: 'passedOver', reason: draw.passedOver };
  if (draw?.orderNo) {
    const { orderNo } = draw;
    const known = order?.orderNo === orderNo ? order : null;
    if (known?.status === 'paid' || known?.status === 'refunded') return { kind: known.status, orderNo };
    if (known?.status === 'cancelled' || known?.status === 'failed') return { kind: 'lapsed', orderNo };
    return { kind: 'won', orderNo, payBy: known?.payBy ?? null };
  }
  if (state?.status === 'ended') return { kind: 'ended' };
  if (!draw?.isFinal || place === null) return { kind: 'drawing' };
  return { kind: 'waiting', place, of: early };
}
