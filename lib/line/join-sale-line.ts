import 'server-only';
import { randomBytes } from 'node:crypto';
import { nowMs } from '@/lib/clock';
import type { ChallengeAnswer } from '@/lib/contract/shapes/challenge';
import type { OwnPlace } from '@/lib/contract/shapes/line';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import { hasVariant } from '@/lib/contract/words/variant';
import { challengesFor } from '@/lib/entry/challenge-for';
import { type ChallengeRefusal, requireChallenge } from '@/lib/entry/require-challenge';
import type { ErrorCode } from '@/lib/errors/codes';
import { OutageError } from '@/lib/errors/outage-error';
import { countedAddress } from '@/lib/http/address-key';
import { limitRequest } from '@/lib/limit/limit-request';
import { hashForLine } from '@/lib/line/records/hash-for-line';
import { joinLine } from '@/lib/line/records/join-line';
import type { RateLimited } from '@/lib/redis/limit-policy';
import { rememberRefusal } from '@/lib/refusal/remember-refusal';
import { findReservation } from '@/lib/reservation/find-reservation';
import { noteRisk } from '@/lib/risk/noted';
import { subjectsOf } from '@/lib/risk/risk-of';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import {
  findUnmetThreshold,
  type Member,
  type UnmetThreshold,
} from '@/lib/sale/records/find-unmet-threshold';
import { keepOrigin } from '@/lib/waitlist/records/origins';
import { describePlace, findOwnPlace } from './own-place';

export type JoinSaleResult =
  | { status: 'joined' | 'already_joined'; place: OwnPlace }
  | {
      status:
        | 'sale_not_found'
        | 'no_line'
        | 'variant_unknown'
        | 'ended'
        | 'closed'
        | 'too_often'
        | 'not_reserved'
        | 'device_required';
    }
  | { status: 'not_open'; entryOpensAt: number }
  | { status: 'taken'; by: 'device' | 'network' }
  | { status: 'rate_limited'; limited: RateLimited }
  | UnmetThreshold
  | ChallengeRefusal;

type Joiner = Member & { userId: string; device: string };
type With = { address: string | null; nonce?: Uint8Array; answer?: ChallengeAnswer; variant?: number };

/** The codes that are remembered, so that the shopper can see later why there was no place. */
const REMEMBERED: Partial<Record<JoinSaleResult['status'], ErrorCode>> = {
  variant_unknown: 'VARIANT_UNKNOWN',
  level_too_low: 'LEVEL_TOO_LOW',
  account_too_new: 'ACCOUNT_TOO_NEW',
  email_unverified: 'EMAIL_UNVERIFIED',
  not_reserved: 'NOT_RESERVED',
  rate_limited: 'RATE_LIMITED',
  challenge_failed: 'CHALLENGE_FAILED',
  ended: 'SALE_ENDED',
  not_open: 'ENTRY_NOT_OPEN',
  closed: 'LINE_CLOSED',
  device_required: 'DEVICE_REQUIRED',
  too_often: 'JOINED_TOO_OFTEN',
  taken: 'PLACE_TAKEN',
};

/**
 * Gives a signed-in shopper a place in a sale's line. Everything an entry is refused for is checked here; the entry does
 * not ask for a challenge again. Joining again gets the same place, until its turn is over: then a new one at the back. In a
 * draw another variant changes the wish, with a new place, too.
 * @param nonce 16 bytes from the browser for the shuffle; the server takes some without. @param variant that is wished, by its
 *   number; 0 or left out: none
 * @throws connection errors: the outcome is then unknown, and asking again tells it
 */
export async function joinSaleLine(saleId: string, user: Joiner, joining: With): Promise<JoinSaleResult> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return { status: 'sale_not_found' };
  if (!ADMISSIONS[sale.admission].hasLine) return { status: 'no_line' };
  const result = await decide(sale, user, joining);
  const code = REMEMBERED[result.status];
  if (code) rememberRefusal({ saleId, userId: user.userId }, 'entry', code, { risk: 'none' });
  return result;
}

async function decide(
  sale: SaleInfo,
  user: Joiner,
  { address, nonce, answer, variant = 0 }: With,
): Promise<JoinSaleResult> {
  const { saleId } = sale;
  const { isDrawn } = ADMISSIONS[sale.admission];
  const { userId, device } = user;
  const now = nowMs();
  // In a waiting room the shopper chooses when buying.
  if (!hasVariant(isDrawn ? sale.variants : [], variant)) return { status: 'variant_unknown' };
  const own = await findOwnPlace(saleId, userId);
  if (own && !own.isOver && own.variant === variant) return { status: 'already_joined', place: own };
  if (sale.status === 'closed' || now >= sale.endsAt) return { status: 'ended' };
  if (now < sale.entryOpensAt) return { status: 'not_open', entryOpensAt: sale.entryOpensAt };
  if (isDrawn && now >= sale.startsAt) return { status: 'closed' };
  const requester = { userId, address, device };
  noteRisk('accounts', subjectsOf(requester), saleId, userId);
  const unmet = findUnmetThreshold(sale, user, now);
  if (unmet) return unmet;
  if (sale.onePlacePerDevice && device === '') return { status: 'device_required' };
  const limited = await limitRequest(sale, 'entry', requester);
  if (limited) return { status: 'rate_limited', limited };
  if (sale.reservation && (await findReservation(sale, userId)) === null) return { status: 'not_reserved' };
  // Last, because the shopper can use a right answer only once.
  const [kind] = challengesFor(sale, requester);
  const refusal = kind && (await requireChallenge({ saleId, kind }, userId, answer));
  if (refusal?.status === 'challenge_failed') noteRisk('challenges_failed', subjectsOf(requester), saleId);
  if (refusal) return refusal;

  const network = sale.placesPerNetwork > 0 && address !== null ? countedAddress(address) : null;
  const result = await joinLine(
    saleId,
    {
      userId,
      nonce: nonce ?? randomBytes(16),
      variant,
      device: sale.onePlacePerDevice ? hashForLine(saleId, 'device', device) : null,
      network: network === null ? null : hashForLine(saleId, 'network', network),
    },
    { placesPerNetwork: sale.placesPerNetwork, untilStart: isDrawn },
  );
  switch (result.status) {
    case 'joined':
    case 'already_joined':
      // A draw gives units later, when the shopper is not there to be asked.
      if (isDrawn) await keepOrigin(sale, userId, requester);
      return {
        status: result.status,
        place: await describePlace(result.line, result.entry, result.line.readAt),
      };
    case 'no_line':
      // Publishing makes the line; a sale that was published without one would be a bug.
      throw new OutageError(`${saleId} has no line yet`);
    default:
      return result;
  }
}
