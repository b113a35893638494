import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import { findLine } from '@/lib/line/records/find-line';
import { healEpoch } from '@/lib/loading/heal-epoch';
import { issueOrderNo } from '@/lib/order/records/issue-order-no';
import { gather } from '@/lib/outbox/gather';
import { processWide } from '@/lib/process-wide';
import { type JoinResult, joinInRedis } from '@/lib/waitlist/records/join-in-redis';
import { type NewPlace, writePlaces } from '@/lib/waitlist/records/write-places';
import { enlist } from './enlist';

/** Places in one statement. */
const AT_ONCE = 500;
/** The sale may be loaded anew while somebody joins, hardly twice. */
const TRIES = 3;

type Joined =
  | Exclude<JoinResult, { status: 'unknown_sale' | 'stale_epoch' }>
  /** The sale is being loaded; ask again. */
  | { status: 'unavailable' };

/** A double click of somebody asks for the same place twice. */
const writeOnce = (places: readonly NewPlace[]): Promise<Set<string>> =>
  writePlaces([...new Map(places.map((place) => [`${place.saleId}/${place.number}`, place])).values()]);

/** All who join at one moment share a statement. One writer of the process is enough: Postgres takes thousands at a time. */
const write = processWide('waitlist-places', () => gather<NewPlace, Set<string>>(writeOnce, AT_ONCE));

/**
 * Takes a place among those who wait for a unit, of one of the sale's variants where it has some. It is told once Postgres has it: from then on it is lost with neither Redis nor this
 * process, and joining again finds it.
 * @param variant one that the sale has; 0 or left out: it has none
 * @throws connection errors. Then the outcome is unknown; asking again tells it.
 */
export async function joinWaitlist(
  info: SaleInfo,
  { userId, jti, variant = 0 }: { userId: string; jti: string; variant?: number },
): Promise<Joined> {
  const { saleId } = info;
  const { isDrawn } = ADMISSIONS[info.admission];
  // People who were drawn come first, and all of them.
  if (isDrawn && !(await findLine(saleId))?.isEnlisted) return { status: 'not_started' };
  let epoch: number | null = info.epoch;
  for (let tries = 0; epoch !== null && tries < TRIES; tries += 1) {
    const orderNo = await issueOrderNo(userId);
    const result = await joinInRedis({ saleId, epoch, userId, jti, orderNo, variant });
    switch (result.status) {
      case 'joined':
      case 'waiting': {
        const { place } = result;
        if ((await write({ ...place, epoch })).has(`${saleId}/${place.number}`)) return result;
        break;
      }
      case 'available':
        if (!isDrawn) return result;
        // Nothing is bought by pressing there. The next round finds the place or the unit.
        await enlist(saleId, [{ userId, jti, orderNo, variant }]);
        continue;
      case 'unknown_sale':
      case 'stale_epoch':
        break;
      default:
        return result;
    }
    epoch = await healEpoch({ saleId });
  }
  return { status: 'unavailable' };
}
