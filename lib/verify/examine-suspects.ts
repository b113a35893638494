import 'server-only';
import { nowMs } from '@/lib/clock';
import { decodeOrderNo } from '@/lib/ids/order-no';
import type { BuyerRecord } from '@/lib/stock/types';
import { findDeadLetters, findInExecutor, findInOutbox } from './find-whereabouts';
import { type Evidence, judgePurchase, type Verdict } from './judge-purchase';
import { findOrders, type OrderRef } from './read-orders';
import { readBuyers } from './read-purchases';
import type { Whereabouts } from './types';

const CHUNK = 1000;

export type Examined = Verdict;

/** The evidence on a suspect: with its buyer record as read before everything else, and as read after. */
type Gathered = { before: Evidence; after: Evidence };

/**
 * Looks at each suspect again, in the order in which a purchase moves: buyer record, outbox, executor, order. A
 * purchase that moves on meanwhile shows at a later stop. Reads the buyer record before and after the order: a fault
 * counts only with both readings, since otherwise it was a change between them.
 *
 * @returns the verdicts, by the suspects' positions.
 */
export async function examineSuspects(
  saleId: string,
  epochOf: (userId: string) => number,
  suspects: readonly OrderRef[],
): Promise<Examined[]> {
  return (await gatherEvidence(saleId, epochOf, suspects)).map(({ before, after }) => {
    const first = judgePurchase(before);
    return first.status === 'broken' ? judgePurchase(after) : first;
  });
}

/** Gathers the evidence on each suspect, by position. */
export async function gatherEvidence(
  saleId: string,
  epochOf: (userId: string) => number,
  suspects: readonly OrderRef[],
): Promise<Gathered[]> {
  const orderNos = new Set(suspects.map((ref) => ref.orderNo));
  const before = await readPurchases(saleId, suspects);
  const inOutbox = await findInOutbox(saleId, orderNos);
  const inExecutor = await findInExecutor(saleId, orderNos);

  const gathered: Gathered[] = [];
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
      const order = orders.get(orderNo);
      const isExecutorRemote = inExecutor === null;
      const epoch = epochOf(userId);
      const common = { orderNo, userId, order, whereabouts, epoch, isExecutorRemote };
      gathered.push({
        before: { ...common, purchase: before[i + j] },
        after: { ...common, purchase: after[j] },
      });
    });
  }
  return gathered;
}

/** Reads each suspect's own purchase from its buyer record, by position. */
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
