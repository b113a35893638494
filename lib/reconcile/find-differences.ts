import 'server-only';
import type { Difference } from '@/lib/contract/shapes/reconcile';
import { type LoadedSale, stockOfBuyer } from '@/lib/slice/loadings';
import { gatherEvidence } from '@/lib/verify/examine-suspects';
import type { Evidence } from '@/lib/verify/judge-purchase';
import { findUnwritten, type OrderRef, streamOrders } from '@/lib/verify/read-orders';
import { readBuyers, scanBuyers } from '@/lib/verify/read-purchases';
import { classify } from './classify';

/** Bounds the suspects examined at a time and the differences kept; the next run finds the rest. */
const MAX_AT_ONCE = 20_000;
const MAX_DIFFERENCES = 5_000;

type Looked = { inFlight: number; differences: Map<string, Difference> };

/**
 * Goes through every purchase in Redis and every order in Postgres, and names those that don't fit together.
 * @param onProgress gets the number of purchases and orders seen
 */
export async function findDifferences(
  sale: LoadedSale,
  onProgress: (stage: 'purchases' | 'orders', done: number) => void = () => {},
): Promise<Looked> {
  const { saleId } = sale;
  const seen = { purchases: 0, orders: 0 };
  const see = (stage: 'purchases' | 'orders', more: number) => {
    seen[stage] += more;
    onProgress(stage, seen[stage]);
  };
  const looked: Looked = { inFlight: 0, differences: new Map() };
  let suspects = new Map<string, OrderRef>();
  const settle = async () => {
    const batch = [...suspects.values()];
    suspects = new Map();
    const { inFlight, differences } = await recheckOrders(sale, batch);
    looked.inFlight += inFlight;
    for (const [orderNo, difference] of differences) {
      if (looked.differences.size < MAX_DIFFERENCES) looked.differences.set(orderNo, difference);
    }
  };
  const suspect = async (refs: readonly OrderRef[]) => {
    for (const ref of refs) suspects.set(ref.orderNo, ref);
    if (suspects.size >= MAX_AT_ONCE) await settle();
  };

  for await (const buyers of scanBuyers(saleId)) {
    const met = buyers.flatMap(({ userId, purchases }) =>
      (purchases ?? []).map(({ orderNo }) => ({ orderNo, userId })),
    );
    await suspect(await findUnwritten(saleId, met));
    see('purchases', met.length);
  }
  await settle();
  await streamOrders(saleId, async (orders) => {
    const buyers = await readBuyers(
      saleId,
      orders.map(({ userId }) => userId),
    );
    const misfits = orders.filter((order, at) => {
      const { orderNo, userId } = order;
      const { epoch } = stockOfBuyer(sale, userId);
      const purchase = buyers[at]?.purchases?.find((candidate) => candidate.orderNo === orderNo);
      const whereabouts = { place: 'outbox' } as const;
      const evidence = { orderNo, userId, purchase, order, whereabouts, epoch, isExecutorRemote: false };
      return classify(evidence).status === 'different';
    });
    await suspect(misfits);
    see('orders', orders.length);
  });
  await settle();
  return looked;
}

/**
 * Looks at these orders again, in the order in which a purchase moves. A difference counts only if it holds with the
 * buyer record read before and with the one read after the rest.
 */
export async function recheckOrders(sale: LoadedSale, refs: readonly OrderRef[]): Promise<Looked> {
  const looked: Looked = { inFlight: 0, differences: new Map() };
  if (refs.length === 0) return looked;
  const epochOf = (userId: string) => stockOfBuyer(sale, userId).epoch;
  for (const { before, after } of await gatherEvidence(sale.saleId, epochOf, refs)) {
    const [first, second] = [classify(before), classify(after)];
    if (first.status === 'in_flight' || second.status === 'in_flight') looked.inFlight += 1;
    else if (first.status === 'different' && second.status === 'different') {
      looked.differences.set(after.orderNo, second.difference);
    }
  }
  return looked;
}

/** Returns those of these orders about which Redis and Postgres agree, by the buyer record read before and after. */
export async function findAgreed(sale: LoadedSale, refs: readonly OrderRef[]): Promise<string[]> {
  if (refs.length === 0) return [];
  const epochOf = (userId: string) => stockOfBuyer(sale, userId).epoch;
  const isFine = ({ before, after }: { before: Evidence; after: Evidence }) =>
    classify(before).status === 'fine' && classify(after).status === 'fine';
  return (await gatherEvidence(sale.saleId, epochOf, refs)).filter(isFine).map(({ after }) => after.orderNo);
}
