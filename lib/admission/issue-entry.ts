import 'server-only';
import { claimAllowance } from '@/lib/campaign/claim-allowance';
import { nowMs } from '@/lib/clock';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { challengesFor } from '@/lib/entry/challenge-for';
import { type ChallengeRefusal, requireChallenge } from '@/lib/entry/require-challenge';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import type { ErrorCode } from '@/lib/errors/codes';
import { newId } from '@/lib/ids/new-id';
import { limitRequest } from '@/lib/limit/limit-request';
import type { NotAdmitted } from '@/lib/line/admit-from-line';
import type { RateLimited } from '@/lib/redis/limit-policy';
import { rememberRefusal } from '@/lib/refusal/remember-refusal';
import { findReservation } from '@/lib/reservation/find-reservation';
import { noteRisk } from '@/lib/risk/noted';
import { isChallengedByRisk, subjectsOf } from '@/lib/risk/risk-of';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import {
  findUnmetThreshold,
  type Member,
  type UnmetThreshold,
} from '@/lib/sale/records/find-unmet-threshold';
import { recordSpan, spanClock } from '@/lib/trace/record-span';
import { WAYS } from './ways';

// How long a token outlives the sale. The shopper can still ask about a purchase accepted in the last second.
const GRACE_MS = 60 * 60 * 1000;
/** The longest life of an entry token. Ended sessions are remembered for longer than this. */
export const MAX_ENTRY_AGE_MS = 24 * 60 * 60 * 1000;

export type EntryResult =
  | { status: 'entered'; entryToken: string; expiresAt: number }
  | { status: 'sale_not_found' }
  | { status: 'ended' }
  | { status: 'not_open'; entryOpensAt: number }
  | UnmetThreshold
  | { status: 'not_reserved' }
  | { status: 'draw_only' }
  | { status: 'rate_limited'; limited: RateLimited }
  /** The shopper has as many units in other sales of the campaign as its limit allows. */
  | { status: 'campaign_limit'; limit: number }
  /** Too many ask for a part of their campaign's limit at once. */
  | { status: 'busy' }
  | NotAdmitted
  | ChallengeRefusal;

/**
 * The code remembered for each kind of refusal. Being asked for a challenge that every shopper must solve is not
 * remembered as a refusal; being asked for one by a risk rule is.
 */
const REFUSALS = {
  ended: 'SALE_ENDED',
  not_open: 'ENTRY_NOT_OPEN',
  rate_limited: 'RATE_LIMITED',
  level_too_low: 'LEVEL_TOO_LOW',
  account_too_new: 'ACCOUNT_TOO_NEW',
  email_unverified: 'EMAIL_UNVERIFIED',
  not_reserved: 'NOT_RESERVED',
  campaign_limit: 'LIMIT_REACHED',
  busy: 'STOCK_UNAVAILABLE',
  draw_only: 'DRAW_ONLY',
  challenge_required: 'CHALLENGE_REQUIRED',
  challenge_failed: 'CHALLENGE_FAILED',
  not_in_line: 'NOT_IN_LINE',
  not_admitted: 'NOT_ADMITTED',
  turn_over: 'TURN_OVER',
} as const satisfies Record<Exclude<EntryResult['status'], 'entered' | 'sale_not_found'>, ErrorCode>;

type Entrant = Member & {
  userId: string;
  device?: string;
  /** The client's session. The token ends with it. */
  session?: { id: string; expiresAt: number };
};

/**
 * Lets a signed-in shopper in. It does all expensive checks here, before the start, and answers with a token that the
 * purchase can check in microseconds. Each token is good for one purchase.
 * @param user the shopper, with the account as it is now; `device` as `identifyDevice` knows it
 * @param address the client's address, null if it is unknown. @param answer to the challenge, where the sale wants
 *   one
 * @throws connection errors.
 */
export async function issueEntry(
  saleId: string,
  user: Entrant,
  { address = null, answer }: { address?: string | null; answer?: ChallengeAnswer } = {},
): Promise<EntryResult> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return { status: 'sale_not_found' };
  const result = await decide(sale, user, address, answer);
  if (result.status !== 'entered' && result.status !== 'sale_not_found') {
    const { userId, device = '' } = user;
    const isByRisk = sale.challenge === 'none' && isChallengedByRisk({ userId, address, device });
    if (result.status !== 'challenge_required' || isByRisk)
      rememberRefusal({ saleId, userId }, 'entry', REFUSALS[result.status], {
        risk: isByRisk ? 'challenged' : 'none',
      });
  }
  return result;
}

async function decide(
  sale: SaleInfo,
  user: Entrant,
  address: string | null,
  answer: ChallengeAnswer | undefined,
): Promise<EntryResult> {
  const beganAt = spanClock();
  const { saleId } = sale;
  const now = nowMs();
  if (sale.status === 'closed' || now >= sale.endsAt) return { status: 'ended' };
  if (now < sale.entryOpensAt) return { status: 'not_open', entryOpensAt: sale.entryOpensAt };
  const way = WAYS[sale.admission];
  if (way.isOpen && !(await way.isOpen(sale))) return { status: 'draw_only' };
  const { userId, device = '' } = user;
  const requester = { userId, address, device };
  noteRisk('accounts', subjectsOf(requester), saleId, userId);
  const unmet = findUnmetThreshold(sale, user, now);
  if (unmet) return unmet;
  const limited = await limitRequest(sale, 'entry', requester);
  if (limited) return { status: 'rate_limited', limited };
  if (sale.reservation && (await findReservation(sale, userId)) === null) return { status: 'not_reserved' };
  if (way.admit) {
    // A shopper with a place has solved the challenge already.
    const turn = await way.admit(saleId, userId);
    if (turn.status !== 'admitted') return turn;
    return (await refuseByCampaign(sale, userId)) ?? grant(sale, user, now, beganAt, turn.until);
  }
  // Late, because the shopper can use a right answer only once.
  const [kind] = challengesFor(sale, requester);
  const refusal = kind && (await requireChallenge({ saleId, kind }, userId, answer));
  if (refusal?.status === 'challenge_failed') noteRisk('challenges_failed', subjectsOf(requester), saleId);
  if (refusal) return refusal;
  // After the challenge: it moves units between sales, in Postgres.
  return (await refuseByCampaign(sale, userId)) ?? grant(sale, user, now, beganAt);
}

/** Claims the shopper's part of the campaign's limit. @returns why there is none; null: claimed, or there is no such limit */
async function refuseByCampaign(sale: SaleInfo, userId: string): Promise<EntryResult | null> {
  const claim = await claimAllowance(sale, userId);
  if (claim.status === 'none') return { status: 'campaign_limit', limit: claim.limit };
  return claim.status === 'busy' ? { status: 'busy' } : null;
}

/** Makes the token. @param until the latest that it may live, epoch ms */
function grant(
  { saleId, endsAt }: SaleInfo,
  { userId, level, device = '', session: given }: Entrant,
  now: number,
  beganAt: ReturnType<typeof spanClock>,
  until = Number.POSITIVE_INFINITY,
): EntryResult {
  const { id: session = '', expiresAt: sessionEndsAt = Number.POSITIVE_INFINITY } = given ?? {};
  const expiresAt = Math.min(endsAt + GRACE_MS, now + MAX_ENTRY_AGE_MS, sessionEndsAt, until);
  const claims = { userId, saleId, level, jti: newId('jti'), expiresAt, device, session };
  recordSpan('entry', claims.jti, beganAt, { saleId });
  return { status: 'entered', entryToken: signEntryToken(claims), expiresAt };
}
