import 'server-only';
import type { RehearsalReport } from '@/lib/contract/shapes/rehearsal';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { confirmStock } from '@/lib/stock/confirm-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { judgeRehearsal } from './judge-rehearsal';
import { planCrowd } from './plan-crowd';
import { type Answered, runCrowd } from './run-crowd';
import { keepShadow, openShadow, readShadow, removeShadow } from './shadow-sale';

/** Leaves time for shoppers who come too early. */
const STARTS_IN_MS = 1_500;
const AT_ONCE = 200;
const KEEP_EVERY_MS = 250;

/**
 * Sends a made-up crowd to a copy of the sale's stock in Redis. Scripts, limits and settings are the sale's own, the
 * keys are not. Then four in five pay, the others run out of time, and the books are compared. Nothing reaches
 * Postgres and no message is sent. The times don't include browsers, network and web processes.
 * @param rehearsalId if it ran before under this id, first removes what is left of that run @param onProgress share
 *   done, 0 to 1
 * @param random from 0, below 1 @throws connection errors; what is left in Redis then expires
 */
export async function rehearse(
  sale: SaleInfo,
  { rehearsalId, shoppers }: { rehearsalId: string; shoppers: number },
  onProgress: (share: number) => void,
  random: () => number = Math.random,
): Promise<RehearsalReport> {
  const crowd = planCrowd(shoppers, sale, random);
  const reserved = crowd.filter(({ isReserved }) => isReserved).map(({ userId }) => userId);
  const shadow = await openShadow(sale, rehearsalId, STARTS_IN_MS, reserved);
  const { saleId } = shadow;
  const keeping = setInterval(() => keepShadow(saleId).catch(() => {}), KEEP_EVERY_MS);
  try {
    const answered = await runCrowd(sale, shadow, crowd, (share) => onProgress(share * 0.7));
    const afterCrowd = await readShadow(saleId);
    const payers = new Set(crowd.filter(({ willPay }) => willPay).map(({ userId }) => userId));
    const accepted = answered.filter(({ status }) => status === 'accepted');
    for (let from = 0; from < accepted.length; from += AT_ONCE) {
      await Promise.all(accepted.slice(from, from + AT_ONCE).map((one) => settle(saleId, one, payers)));
      onProgress(0.7 + 0.3 * (from / accepted.length));
    }
    const unitsOf = (isPaid: boolean) =>
      accepted
        .filter(({ press }) => payers.has(press.userId) === isPaid)
        .reduce((sum, { press }) => sum + press.quantity, 0);
    const { stock: afterPayment } = await readShadow(saleId);
    const books = {
      startsAt: shadow.startsAt,
      afterCrowd,
      afterPayment,
      paidUnits: unitsOf(true),
      releasedUnits: unitsOf(false),
    };
    return judgeRehearsal(sale, crowd, answered, books);
  } finally {
    clearInterval(keeping);
    await removeShadow(
      saleId,
      crowd.flatMap(({ presses }) =>
        presses.flatMap(({ address, userId }) => [['ip', address] as const, ['device', userId] as const]),
      ),
    );
  }
}

async function settle(saleId: string, { press, orderNo }: Answered, payers: ReadonlySet<string>) {
  const order = { saleId, userId: press.userId, orderNo: orderNo ?? '' };
  await (payers.has(press.userId) ? confirmStock(order) : releaseStock(order));
}
