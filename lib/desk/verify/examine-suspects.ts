import 'server-only';
import { nowMs } from '@/lib/clock';
import { decodeOrderNo } from '@/lib/ids/order-no';
import type { BuyerRecord } from '@/lib/stock/types';
import { findDeadLetters, findInExecutor, findInOutbox } from './find-whereabouts';
import { judgePurchase, type Verdict } from './judge-purchase';
import { findOrders, type OrderRef } from './read-orders';
import { readBuyers } from './read-purchases';
import type { Whereabouts } from './types';

const CHUNK = 1000;

export type Examined = Verdict;

/**
 * Looks at each suspect anew, along the way a purchase takes (buyer record, outbox, executor, order), so one that
 * moves on meanwhile is met at a later stop instead of being missed. The buyer record is read before and after the
 * order: only what is wrong with both readings is wrong; with one of them it was a change between the two reads.
 *
 * @returns the verdicts, by the suspects' positions.
 */
export async function examineSuspects(
  saleId: string,
  epoch: number,
  suspects: readonly OrderRef[],
): Promise<Examined[]> {
  const orderNos = new Set(suspects.map((ref) => ref.orderNo));
  const before = await readPurchases(saleId, suspects);
  const inOutbox = await findInOutbox(saleId, orderNos);
  const inExecutor = await findInExecutor(saleId, orderNos);

  const examined: Examined[] = [];
  for (let i = 0; i < suspects.length; i += CHUNK) {
    const refs = suspects.slice(i, i + CHUNK);
    const orders = await findOrders(refs);
    const deadLetters = await findDeadLetters(
      saleId,
      refs.map((ref) => ref.orderNo),
    );
    const after = await readPurchases(saleId, refs);
    refs.forEach((ref, j) => {
      const { orderNo, userId } = ref;
      const deadLetter = deadLetters.get(orderNo);
      const whereabouts: Whereabouts = inOutbox.has(orderNo)
        ? { place: 'outbox' }
        : inExecutor?.has(orderNo)
          ? { place: 'executor' }
          : deadLetter
            ? { place: 'dead_letter', ...deadLetter }
            : { place: 'nowhere', acceptedAgoMs: nowMs() - decodeOrderNo(BigInt(orderNo)).atMs };
      const judge = (purchase: BuyerRecord | undefined) =>
        judgePurchase({
          orderNo,
          userId,
          purchase,
          order: orders.get(orderNo),
          whereabouts,
          epoch,
          isExecutorRemote: inExecutor === null,
        });
      const first = judge(before[i + j]);
      examined.push(first.status === 'broken' ? judge(after[j]) : first);
    });
  }
  return examined;
}

/** Each suspect's own purchase in its buyer record, by position. */
async function readPurchases(
  saleId: string,
  refs: readonly OrderRef[],
): Promise<(BuyerRecord | undefined)[]> {
  const purchases: (BuyerRecord | undefined)[] = [];
  for (let i = 0; i < refs.length; i += CHUNK) {
    const chunk = refs.slice(i, i + CHUNK);
    const buyers = await readBuyers(
      saleId,
      chunk.map((ref) => ref.userId),
    );
    chunk.forEach((ref, j) => {
      purchases.push(buyers[j]?.purchases?.find((purchase) => purchase.orderNo === ref.orderNo));
    });
  }
  return purchases;
}
