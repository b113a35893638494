import 'server-only';
import { findState } from '@/lib/sale/read-state';
import { isOn } from '@/lib/switchboard/is-on';
import { MAX_STREAMS_PER_CLIENT, streamCapacity } from './events-capacity';
import { addStream, countStreams, eventOf, isClosed, sendTo } from './events-registry';
import type { EventSink } from './events-send';

/**
 * When a reader whose stream ended reconnects: spread, so that a stopping process doesn't send all its readers away
 * at once.
 */
const RETRY_MIN_MS = 500;
const RETRY_SPREAD_MS = 2_500;

/** Headers of every stream of events. */
export const EVENT_HEADERS = {
  'content-type': 'text/event-stream',
  // `no-transform`: no proxy may compress the stream, which would hold it back.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/**
 * Readers who wait for a start further away may take half the room only: readers who wait for the next minute need it
 * more.
 */
const FAR_MS = 60_000;
const SHARE_OF_FAR = 0.5;

export type StreamLimits = { perProcess: number; perClient: number };
export type JoinResult =
  | { status: 'joined' | 'gone' | 'full' | 'off' }
  | { status: 'refused'; code: 'SALE_NOT_FOUND' | 'STOCK_UNAVAILABLE' };

/**
 * Lets a reader follow a sale: sends its state now, again whenever it changes (the units left at most once a second),
 * and a heartbeat with the server's time every 15 s, until the reader goes, can't keep up, its 2 to 4 minutes are over,
 * or streams are switched off.
 * @param openSink opens the way to the reader, called only when there is something to send; null: the reader has
 *   gone.
 * @throws as `findState`.
 */
export async function joinSale(
  saleId: string,
  address: string | null,
  openSink: () => EventSink | null,
  limits: StreamLimits = { perProcess: streamCapacity(), perClient: MAX_STREAMS_PER_CLIENT },
): Promise<JoinResult> {
  if (!isOn('streams')) return { status: 'off' };
  const result = await findState(saleId);
  if (result.status === 'refused') return result;
  const { all, ofClient } = countStreams(address);
  const { status, startsAt, serverTime } = result.state;
  const isFar = status === 'scheduled' && startsAt - serverTime > FAR_MS;
  const room = limits.perProcess * (isFar ? SHARE_OF_FAR : 1);
  if (isClosed() || all >= room || ofClient >= limits.perClient) return { status: 'full' };
  const sink = openSink();
  if (!sink) return { status: 'gone' };
  const stream = addStream(result.state, sink, address);
  const retryMs = Math.round(RETRY_MIN_MS + RETRY_SPREAD_MS * Math.random());
  sendTo(stream, Buffer.from(`retry: ${retryMs}\n${eventOf(stream.sale.feed.latest())}`));
  return { status: 'joined' };
}
