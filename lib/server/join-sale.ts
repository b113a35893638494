import 'server-only';
import { findState } from '@/lib/checkout/sales/read-state';
import { MAX_STREAMS_PER_CLIENT, streamCapacity } from './events-capacity';
import { addStream, countStreams, eventOf, isClosed, sendTo } from './events-registry';
import type { EventSink } from './events-send';

/** When a reader whose stream ended comes back, so that a process that stops doesn't send all of them at once. */
const RETRY_MIN_MS = 500;
const RETRY_SPREAD_MS = 2_500;

/** Headers of every stream of events. */
export const EVENT_HEADERS = {
  'content-type': 'text/event-stream',
  // `no-transform`: nobody on the way may compress it, and so hold it back.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

export type StreamLimits = { perProcess: number; perClient: number };
export type JoinResult =
  | { status: 'joined' | 'gone' | 'full' }
  | { status: 'refused'; code: 'SALE_NOT_FOUND' | 'STOCK_UNAVAILABLE' };

/**
 * Lets somebody follow a sale: its state now, again whenever it changes (what is left at most once a second), and a
 * heartbeat every 15 s with the server's time; until the reader goes, can't keep up, or its 2 to 4 minutes are over.
 * @param openSink opens the way to the reader, called only when there is something to send; null: the reader has gone.
 * @throws as `findState`.
 */
export async function joinSale(
  saleId: string,
  address: string | null,
  openSink: () => EventSink | null,
  limits: StreamLimits = { perProcess: streamCapacity(), perClient: MAX_STREAMS_PER_CLIENT },
): Promise<JoinResult> {
  const result = await findState(saleId);
  if (result.status === 'refused') return result;
  const { all, ofClient } = countStreams(address);
  if (isClosed() || all >= limits.perProcess || ofClient >= limits.perClient) return { status: 'full' };
  const sink = openSink();
  if (!sink) return { status: 'gone' };
  const stream = addStream(result.state, sink, address);
  const retryMs = Math.round(RETRY_MIN_MS + RETRY_SPREAD_MS * Math.random());
  sendTo(stream, Buffer.from(`retry: ${retryMs}\n${eventOf(stream.sale.feed.latest())}`));
  return { status: 'joined' };
}
