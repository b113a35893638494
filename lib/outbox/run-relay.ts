import 'server-only';
import { backoffMs } from './backoff';
import { claimAbandoned, forgetGoneConsumers } from './claim-abandoned';
import type { Pace } from './create-pace';
import { deliverBatch } from './deliver-batch';
import type { GiveWay } from './give-way';
import { ensureGroup } from './group';
import { MAX_BATCH } from './order-batch';
import { pause } from './pause';
import type { ReadOptions } from './read-entries';
import type { BuryEntry, RawEntry, RelayLog, SendEvent } from './types';

export type OrderRelayOptions = {
  send: SendEvent;
  bury: BuryEntry;
  /** A new name for every loop of every process. */
  consumer: string;
  log: RelayLog;
  /** How long a relay may hold an entry without acknowledging it before another takes it over. Default 10 s. */
  minIdleMs?: number;
  /** Shared by the loops of one process. */
  pace?: Pace;
  /** Shared by them too. Without it no order is left lying in a rush. */
  giveWay?: GiveWay;
  /** Tells which orders are written. With it, the next event waits for an unfilled one before it. */
  whichWritten?: (orderNos: readonly string[]) => Promise<ReadonlySet<string>>;
  /** How long an unfilled event waits for more. Default 20 ms. */
  lingerMs?: number;
  /** Longest wait between two attempts while the executor is away; shorter than `minIdleMs`. Default 5 s. */
  retryMaxMs?: number;
};

/** The outboxes that one loop reads, and the connection by which it does. */
export type Outboxes = {
  listSales(): Promise<string[]>;
  /** Waits for new entries of any of the sales, at most `blockMs`. */
  read(saleIds: readonly string[], options: ReadOptions): Promise<Map<string, RawEntry[]>>;
  /** Called after a failure. */
  reconnect(): void;
  close(): void;
};

const MIN_IDLE_MS = 10_000;
const LINGER_MS = 20;
const BLOCK_MS = 250;
const REFRESH_MS = 1_000;
const FORGET_MS = 600_000;
const ORDER_NO = /^[1-9]\d{0,18}$/;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 5_000;

/** Moves purchases from the given outboxes to the executor until `signal` fires; see `relayOrders`. */
export async function runRelay(
  options: OrderRelayOptions & { pace: Pace },
  outboxes: Outboxes,
  signal: AbortSignal,
): Promise<void> {
  const { consumer, log, minIdleMs = MIN_IDLE_MS, lingerMs = LINGER_MS, pace, giveWay } = options;
  const claimEveryMs = Math.min(REFRESH_MS, minIdleMs);
  let grouped = new Set<string>();
  let saleIds: string[] = [];
  const due = { refresh: 0, claim: 0, forget: performance.now() + FORGET_MS };
  const deliverAll = (entries: readonly RawEntry[][]) =>
    settleAll(toBatches(entries).map((batch) => deliverBatch(batch, { ...options, signal })));

  for (let failures = 0; !signal.aborted; ) {
    try {
      // A wall clock that is set back would stop the relay for as long.
      const now = performance.now();
      if (now >= due.refresh) {
        saleIds = await outboxes.listSales();
        await Promise.all(saleIds.filter((saleId) => !grouped.has(saleId)).map(ensureGroup));
        grouped = new Set(saleIds);
        due.refresh = now + REFRESH_MS;
      }
      if (now >= due.claim) {
        await deliverAll(
          await Promise.all(saleIds.map((saleId) => claimAbandoned(saleId, consumer, minIdleMs))),
        );
        due.claim = now + claimEveryMs;
      }
      if (now >= due.forget) {
        await Promise.all(saleIds.map(forgetGoneConsumers));
        due.forget = now + FORGET_MS;
      }
      const givesWayMs = (await giveWay?.waitMs(now)) ?? 0;
      if (givesWayMs > 0) {
        await pause(givesWayMs, signal);
        continue;
      }
      askWritten(pace, options.whichWritten, now);
      const waitMs = pace.waitMs(now);
      if (waitMs > 0 || saleIds.length === 0) await pause(waitMs || BLOCK_MS, signal);
      else {
        const read = await outboxes.read(saleIds, { consumer, blockMs: BLOCK_MS, lingerMs });
        giveWay?.note(read, performance.now());
        const entries = [...read.values()];
        const all = entries.flat();
        if (all.length > 0 && all.length < MAX_BATCH) pace.hold(performance.now(), awaitedOf(options, all));
        await deliverAll(entries);
      }
      failures = 0;
    } catch (error) {
      failures += 1;
      const waitMs = backoffMs(failures, RETRY_MIN_MS, RETRY_MAX_MS);
      log.warn({ consumer, waitMs, err: error }, 'order relay interrupted');
      await pause(waitMs, signal);
      // A Redis that lost its data has lost the groups too.
      grouped = new Set();
      due.refresh = 0;
      outboxes.reconnect();
    }
  }
  outboxes.close();
}

/**
 * Puts entries together for events. A sale's five hundred stay alone, so that they can be written while others are;
 * what is less shares events.
 * @param entries those of each sale
 */
function toBatches(entries: readonly RawEntry[][]): RawEntry[][] {
  const longestFirst = [...entries].sort((a, b) => b.length - a.length).flat();
  const batches: RawEntry[][] = [];
  for (let at = 0; at < longestFirst.length; at += MAX_BATCH)
    batches.push(longestFirst.slice(at, at + MAX_BATCH));
  return batches;
}

/** Asks whether the last event is written. Nobody waits for the answer: while Postgres is away the relay goes on. */
function askWritten(pace: Pace, whichWritten: OrderRelayOptions['whichWritten'], now: number): void {
  if (!whichWritten) return;
  const awaited = pace.takeAwaited(now);
  if (awaited === undefined) return;
  whichWritten([awaited]).then(
    (written) => pace.release(written),
    () => {},
  );
}

/** Returns the last order of an event, if somebody can tell whether it is written. */
function awaitedOf({ whichWritten }: OrderRelayOptions, entries: readonly RawEntry[]): string | undefined {
  const orderNo = entries.at(-1)?.fields.orderNo;
  return whichWritten && orderNo && ORDER_NO.test(orderNo) ? orderNo : undefined;
}

/** Waits for all deliveries, then throws the first failure: no event may still be under way when the loop goes on. */
async function settleAll(deliveries: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(deliveries)) {
    if (result.status === 'rejected') throw result.reason;
  }
}
