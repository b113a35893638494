import { processWide } from '@/lib/process-wide';
import 'server-only';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';

/*
 * Where a sale is named here, that is a slice of it if its stock is split (`lib/slice/numbers/stock-ids.ts`): each is loaded alone.
 */

/**
 * How long this process remembers the purchases it answered with 202. Redis could lose them before they are in
 * Postgres: the way takes milliseconds, in a backlog minutes. About 300 bytes each.
 */
const KEEP_MS = 300_000;
const MAX_ORDERS = 100_000;
/** The process forgets orders by whole buckets of this length, so that forgetting costs nothing. */
const BUCKET_MS = 15_000;

/**
 * `epoch`: the loading that is known to hold these orders. `since`: monotonic ms, which changes of the clock don't
 * touch. `byNumber`: the first of the orders by number. It is made at the first look-up, because most buckets are
 * forgotten without one.
 */
type Bucket = {
  epoch: number;
  since: number;
  orders: AcceptedOrder[];
  byNumber?: Map<string, AcceptedOrder>;
  repeated?: Set<string>;
};
type Memory = { sales: Map<string, Bucket[]>; count: number };

const memory = processWide('accepted', (): Memory => ({ sales: new Map(), count: 0 }));

/** Remembers purchases that are answered with 202. @param epoch the loading that holds them */
export function rememberAccepted(saleId: string, epoch: number, orders: readonly AcceptedOrder[]): void {
  if (orders.length === 0) return;
  let buckets = memory.sales.get(saleId);
  if (!buckets) {
    buckets = [];
    memory.sales.set(saleId, buckets);
  }
  const now = performance.now();
  let bucket = buckets.at(-1);
  if (bucket?.epoch !== epoch || now - bucket.since > BUCKET_MS) {
    bucket = { epoch, since: now, orders: [] };
    buckets.push(bucket);
  }
  for (const order of orders) bucket.orders.push(order);
  memory.count += orders.length;
  if (memory.count > MAX_ORDERS) makeRoom();
}

/**
 * Remembers a purchase that was accepted before and is answered with 202 again. This process may not have heard of it
 * yet. A purchase takes one place in a bucket, however often it is repeated.
 */
export function rememberRepeated(saleId: string, epoch: number, order: AcceptedOrder): void {
  const latest = () => memory.sales.get(saleId)?.at(-1);
  if (latest()?.epoch === epoch && latest()?.repeated?.has(order.orderNo)) return;
  rememberAccepted(saleId, epoch, [order]);
  const bucket = latest();
  if (!bucket) return;
  bucket.repeated ??= new Set();
  bucket.repeated.add(order.orderNo);
}

/**
 * Tells whether this process remembers purchases that only a loading before `epoch` holds. Cheap, because every
 * purchase asks.
 */
export function hasOlder(saleId: string, epoch: number): boolean {
  return memory.sales.get(saleId)?.some((bucket) => bucket.epoch < epoch) ?? false;
}

/**
 * Takes out the purchases that only loadings before `epoch` hold. The caller remembers them again under the loading
 * that holds them then.
 */
export function takeOlder(saleId: string, epoch: number): AcceptedOrder[] {
  const older: AcceptedOrder[] = [];
  keep(saleId, (bucket) => {
    if (bucket.epoch >= epoch) return true;
    for (const order of bucket.orders) older.push(order);
    return false;
  });
  return older;
}

/** Returns what this process remembers of an order; undefined: nothing. */
export function recallAccepted(saleId: string, orderNo: string): AcceptedOrder | undefined {
  for (const bucket of memory.sales.get(saleId) ?? []) {
    bucket.byNumber ??= new Map();
    for (let at = bucket.byNumber.size; at < bucket.orders.length; at += 1) {
      const order = bucket.orders[at];
      if (order) bucket.byNumber.set(order.orderNo, order);
    }
    const known = bucket.byNumber.get(orderNo);
    if (known) return known;
  }
  return undefined;
}

/** Returns the sales of which this process remembers any purchase. */
export const rememberedSales = (): string[] => [...memory.sales.keys()];

/** Forgets purchases accepted more than five minutes before `now`, monotonic ms. */
export function forgetExpired(now: number): void {
  for (const saleId of rememberedSales()) keep(saleId, ({ since }) => since >= now - KEEP_MS);
}

/** Forgets the older half of each sale. If a process sells 100,000 in five minutes, the relay took that half long ago. */
function makeRoom(): void {
  for (const saleId of rememberedSales()) {
    const buckets = memory.sales.get(saleId) ?? [];
    let surplus = Math.ceil(buckets.reduce((sum, { orders }) => sum + orders.length, 0) / 2);
    keep(saleId, (bucket) => {
      const dropped = bucket.orders.splice(0, surplus).length;
      if (dropped > 0) bucket.byNumber = undefined;
      surplus -= dropped;
      memory.count -= dropped;
      return bucket.orders.length > 0;
    });
  }
}

function keep(saleId: string, isKept: (bucket: Bucket) => boolean): void {
  const rest = (memory.sales.get(saleId) ?? []).filter((bucket) => {
    const kept = isKept(bucket);
    if (!kept) memory.count -= bucket.orders.length;
    return kept;
  });
  if (rest.length > 0) memory.sales.set(saleId, rest);
  else memory.sales.delete(saleId);
}
