import 'server-only';
import { saleIdsOf } from '@/lib/ids/sale-ids-of';
import { isTracing, recordSpan } from '@/lib/trace/record-span';
import { backoffMs } from './backoff';
import { eventId } from './event-id';
import { EventRefused, PROBE_TOPIC } from './event-refused';
import { acknowledge, keepClaim } from './group';
import { groupBy } from './group-by';
import { packOrders } from './order-batch';
import { parseEntry } from './parse-entry';
import { pause } from './pause';
import type { BuryEntry, OutboxEntry, RawEntry, RelayEvent, RelayLog, SendEvent } from './types';

const TOPIC = 'orders/accepted';
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 5_000;

type DeliveryContext = {
  consumer: string;
  send: SendEvent;
  bury: BuryEntry;
  log: RelayLog;
  /** Longest wait between two attempts. The entries must not look abandoned during it. Default 5 s. */
  retryMaxMs?: number;
  /**
   * Ends the retrying, but not the first attempt. Entries that were not sent stay pending, and another relay claims
   * them.
   */
  signal: AbortSignal;
};

/**
 * Sends entries of one or several sales, at most 500, as one event and acknowledges them:
 * - sent: the executor has it, the entry is deleted;
 * - malformed: buried;
 * - refused: halved; a lone one is buried if the executor takes a probe and refuses it again (decision 106);
 * - otherwise: tried again with backoff for as long as it takes.
 */
export async function deliverBatch(raw: readonly RawEntry[], context: DeliveryContext): Promise<void> {
  const entries: OutboxEntry[] = [];
  for (const entry of raw) {
    const parsed = parseEntry(entry);
    if (parsed.ok) entries.push(parsed.entry);
    else await giveUp(entry, parsed.error, 1, context);
  }
  const { consumer, send, log, signal, retryMaxMs = RETRY_MAX_MS } = context;
  const waiting = entries.length === 0 ? [] : [entries];
  /** The lone refused order after which the executor took a probe. */
  let probed: OutboxEntry[] | undefined;
  for (let attempt = 1; waiting[0]; ) {
    const batch = waiting[0];
    try {
      await send(toEvent(batch));
      await acknowledgeAll(batch);
      const orderNos = batch.map(({ order }) => order.orderNo);
      log.info({ saleIds: saleIdsOf(batch), orderNos }, 'accepted purchases sent');
      if (isTracing()) trace(batch);
      waiting.shift();
      attempt = 1;
    } catch (error) {
      const isRefused = error instanceof EventRefused;
      if (isRefused && (batch.length > 1 || batch === probed)) {
        waiting.splice(0, 1, ...halves(batch));
        if (batch.length === 1) await giveUp(findRaw(raw, batch[0]), error.message, attempt, context);
        attempt = 1;
      } else if (isRefused && (await takesProbe(batch, send))) {
        attempt += 1;
        probed = batch;
      } else {
        const waitMs = backoffMs(attempt, RETRY_MIN_MS, retryMaxMs);
        log.warn({ orders: batch.length, attempt, waitMs, err: error }, 'orders wait for the executor');
        await pause(waitMs, signal);
        if (signal.aborted) return;
        attempt += 1;
        probed = undefined;
      }
      await forEachOutbox(waiting.flat(), (stockId, entryIds) => keepClaim(stockId, consumer, entryIds));
    }
  }
}

/** Tells whether the executor takes an event with no order in it. */
function takesProbe(entries: readonly OutboxEntry[], send: SendEvent): Promise<boolean> {
  const { ts } = toEvent(entries);
  return send({ id: eventId(PROBE_TOPIC, idsOf(entries)), name: PROBE_TOPIC, data: {}, ts }).then(
    () => true,
    () => false,
  );
}

const idsOf = (entries: readonly OutboxEntry[]) =>
  entries.map(({ stockId, entryId, order }) => `${stockId}:${order.epoch}:${entryId}`);

function toEvent(entries: readonly OutboxEntry[]): RelayEvent {
  const batches = [...groupBy(entries, ({ saleId }) => saleId)].map(([saleId, ofSale]) => ({
    saleId,
    orders: ofSale.map(({ order }) => order),
  }));
  const ts = Math.max(...entries.map(({ order }) => order.acceptedAt));
  return { id: eventId(TOPIC, idsOf(entries)), name: TOPIC, data: packOrders(batches), ts };
}

const acknowledgeAll = (entries: readonly OutboxEntry[]) => forEachOutbox(entries, acknowledge);

/** Does something with the entries of each outbox: every sale and slice has its own. */
async function forEachOutbox(
  entries: readonly OutboxEntry[],
  work: (stockId: string, entryIds: string[]) => Promise<void>,
): Promise<void> {
  const byOutbox = [...groupBy(entries, ({ stockId }) => stockId)];
  await Promise.all(
    byOutbox.map(([stockId, ofOutbox]) =>
      work(
        stockId,
        ofOutbox.map(({ entryId }) => entryId),
      ),
    ),
  );
}

/** Traces the time from the purchase until the executor confirms that it has it. */
function trace(entries: readonly OutboxEntry[]): void {
  for (const { saleId, order } of entries) {
    const { jti, orderNo, acceptedAt } = order;
    recordSpan('relay', jti, acceptedAt, { saleId, orderNo });
  }
}

function halves(entries: OutboxEntry[]): OutboxEntry[][] {
  if (entries.length === 1) return [];
  const middle = Math.ceil(entries.length / 2);
  return [entries.slice(0, middle), entries.slice(middle)];
}

function findRaw(raw: readonly RawEntry[], entry: OutboxEntry | undefined): RawEntry {
  const found = raw.find(({ stockId, entryId }) => stockId === entry?.stockId && entryId === entry.entryId);
  if (!found) throw new Error('an entry that was not read cannot be sent');
  return found;
}

async function giveUp(
  entry: RawEntry,
  error: string,
  attempts: number,
  context: DeliveryContext,
): Promise<void> {
  const { bury, log } = context;
  const { saleId, stockId, entryId, fields } = entry;
  log.error({ saleId, entryId, orderNo: fields.orderNo, error }, 'order message given up');
  await bury({ ...entry, error, attempts });
  await acknowledge(stockId, [entryId]);
}
