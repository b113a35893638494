import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import type { Place } from './types';

const SCRIPT = 'join-waitlist-4';

/** The most who may wait for units of one sale. */
const MOST_WAITING = 1_000_000;

type Waiting = {
  status: 'joined' | 'waiting';
  place: Place;
  /** How many come before. */
  ahead: number;
};

export type JoinResult =
  | Waiting
  /** So many units are for sale: buying is faster. */
  | { status: 'available'; units: number }
  | { status: 'unknown_sale' | 'stale_epoch' }
  | {
      status:
        | 'no_waitlist'
        | 'ended'
        | 'not_started'
        | 'closed'
        | 'already_bought'
        | 'too_often'
        | 'token_used'
        | 'full';
    };

/**
 * Takes a place behind all who wait for a variant, unless a unit of it is for sale or the user has as many as one person may
 * have. Joining again answers the same place, whatever token, order number and variant the call brings.
 * @param cap most who may wait
 * @throws connection errors. Then the outcome is unknown; asking again tells it.
 */
export async function joinInRedis(
  asked: Omit<Place, 'number'> & { epoch: number },
  cap = MOST_WAITING,
): Promise<JoinResult> {
  const { saleId, epoch, userId, jti, orderNo, variant } = asked;
  const reply = await runScript(
    stockRedis(),
    SCRIPT,
    [keys.sale(saleId), keys.buyers(saleId), keys.waitlist(saleId), keys.places(saleId)],
    [epoch, userId, jti, orderNo, cap, variant],
  );
  const [status, first = '', itsJti = '', itsOrderNo = '', itsVariant = '', ahead = ''] = reply;
  switch (status) {
    case 'joined':
    case 'waiting': {
      const own = { number: Number(first), jti: itsJti, orderNo: itsOrderNo, variant: Number(itsVariant) };
      return { status, place: { saleId, userId, ...own }, ahead: Number(ahead) };
    }
    case 'available':
      return { status, units: Number(first) };
    case 'unknown_sale':
    case 'stale_epoch':
    case 'no_waitlist':
    case 'ended':
    case 'not_started':
    case 'closed':
    case 'already_bought':
    case 'too_often':
    case 'token_used':
    case 'full':
      return { status };
    default:
      throw new Error(`${SCRIPT} answered ${JSON.stringify(reply)}`);
  }
}
