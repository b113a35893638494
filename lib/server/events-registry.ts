import { processWide } from '@/lib/process-wide';
import 'server-only';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { addressKey } from '@/lib/http/address-key';
import { onStockChange } from '@/lib/stock/stock-changes';
import { isOn } from '@/lib/switchboard/is-on';
import { comeBackInMs } from '@/lib/switchboard/refuse-off';
import { type Feed, startFeed } from './events-feed';
import { createBroadcast, type EventSink, inSlices } from './events-send';

const SWEEP_EVERY_MS = 1_000;
const BEAT_EVERY_SWEEPS = 15;
/**
 * A stream ends after 2 to 4 minutes; its reader reconnects, so the processes come to share readers
 * evenly.
 */
const LIFE_MIN_MS = 120_000;
const LIFE_SPREAD_MS = 120_000;
/** … but no stream ends this near the start, before or after it. */
const START_MARGIN_MS = 10_000;

/** Once streams are switched off, those that are open end within this time: their readers begin to poll. */
const OFF_SPREAD_MS = 10_000;

/** One reader. There may be more than 10,000 of these: keep only necessary fields. */
type Stream = {
  readonly sale: FollowedSale;
  readonly sink: EventSink;
  /** The client whose limit the stream counts towards; null if unknown. */
  readonly client: string | null;
  /** When the stream ends, monotonic ms. */
  endsAt: number;
  /** In which second of each round the stream gets its heartbeat. */
  readonly beatSlot: number;
};

type FollowedSale = { saleId: string; streams: Set<Stream>; feed: Feed };

type Registry = {
  sales: Map<string, FollowedSale>;
  count: number;
  perClient: Map<string, number>;
  sweeps: number;
  sweeper: NodeJS.Timeout | undefined;
  /** True if the streams have been told to end because they are switched off. */
  isOff: boolean;
  isClosed: boolean;
};

const registry = (): Registry => processWide('events', createRegistry);

function createRegistry(): Registry {
  const sales: Registry['sales'] = new Map();
  onStockChange('events', {
    onChange: (saleId) => sales.get(saleId)?.feed.lookNow(),
    onGap() {
      for (const { feed } of sales.values()) feed.lookNow();
    },
  });
  return {
    sales,
    count: 0,
    perClient: new Map(),
    sweeps: 0,
    sweeper: undefined,
    isOff: false,
    isClosed: false,
  };
}

/** Returns how many streams this process holds, and how many of them for one client. */
export function countStreams(address: string | null = null): { all: number; ofClient: number } {
  const { count, perClient } = registry();
  const client = clientOf(address);
  return { all: count, ofClient: client === null ? 0 : (perClient.get(client) ?? 0) };
}

const clientOf = (address: string | null) => (address === null ? null : addressKey(address));

export const isClosed = (): boolean => registry().isClosed;

/** Adds a reader. @param state a state just read: the sale's other readers get it too. */
export function addStream(state: SaleState, sink: EventSink, address: string | null): Stream {
  const held = registry();
  const sale = held.sales.get(state.saleId) ?? follow(state);
  sale.feed.observe(state);
  const stream: Stream = {
    sale,
    sink,
    client: clientOf(address),
    endsAt: performance.now() + LIFE_MIN_MS + LIFE_SPREAD_MS * Math.random(),
    beatSlot: Math.floor(Math.random() * BEAT_EVERY_SWEEPS),
  };
  sale.streams.add(stream);
  held.count += 1;
  const { client } = stream;
  if (client !== null) held.perClient.set(client, (held.perClient.get(client) ?? 0) + 1);
  held.sweeper ??= setInterval(sweep, SWEEP_EVERY_MS).unref();
  sink.whenGone(() => forget(stream));
  return stream;
}

/** Sends to one reader, or drops it when it doesn't read. */
export function sendTo(stream: Stream, bytes: Buffer): void {
  if (!stream.sale.streams.has(stream) || stream.sink.send(bytes)) return;
  forget(stream);
  stream.sink.drop();
}

/** Ends every stream of this process and admits no more: their readers should reconnect to another process. */
export async function closeStreams(): Promise<void> {
  const { sales } = registry();
  registry().isClosed = true;
  await inSlices(
    [...sales.values()].flatMap(({ streams }) => [...streams]),
    end,
  );
}

export const eventOf = (state: SaleState): string => `data: ${JSON.stringify(state)}\n\n`;

function follow(state: SaleState): FollowedSale {
  const { sales } = registry();
  const { saleId } = state;
  const streams = new Set<Stream>();
  const broadcast = createBroadcast(() => [...streams], sendTo);
  const feed = startFeed({
    state,
    countSales: () => sales.size,
    countReaders: () => streams.size,
    onNews: (now, news) => broadcast(Buffer.from(eventOf(now)), news === 'opening'),
    onBlind() {
      sales.delete(saleId);
      void inSlices([...streams], end);
    },
  });
  const sale = { saleId, streams, feed };
  sales.set(saleId, sale);
  return sale;
}

function end(stream: Stream): void {
  forget(stream);
  stream.sink.end();
}

function forget(stream: Stream): void {
  const held = registry();
  const { sale, client } = stream;
  if (!sale.streams.delete(stream)) return;
  held.count -= 1;
  if (client !== null) {
    const left = (held.perClient.get(client) ?? 1) - 1;
    if (left > 0) held.perClient.set(client, left);
    else held.perClient.delete(client);
  }
  if (sale.streams.size === 0) {
    sale.feed.stop();
    if (held.sales.get(sale.saleId) === sale) held.sales.delete(sale.saleId);
  }
  if (held.count > 0) return;
  clearInterval(held.sweeper);
  held.sweeper = undefined;
}

/**
 * Every second: sends heartbeats to a fifteenth of the streams and ends those whose time is over. When streams are
 * switched off the time of all is over soon; each is told when to come back.
 */
function sweep(): void {
  const held = registry();
  const isOff = !isOn('streams');
  if (isOff && !held.isOff) hasten(held);
  held.isOff = isOff;
  held.sweeps += 1;
  const slot = held.sweeps % BEAT_EVERY_SWEEPS;
  const now = performance.now();
  for (const { streams, feed } of held.sales.values()) {
    const serverTime = feed.serverTime();
    const isNearStart = Math.abs(feed.latest().startsAt - serverTime) < START_MARGIN_MS;
    // The heartbeat is an event: a page does not see comments, so it could not notice their absence.
    const beat = Buffer.from(`event: beat\ndata: ${serverTime}\n\n`);
    for (const stream of streams) {
      if (now >= stream.endsAt && !isNearStart) {
        if (isOff) sendTo(stream, Buffer.from(`retry: ${comeBackInMs()}\n\n`));
        end(stream);
      } else if (stream.beatSlot === slot) sendTo(stream, beat);
    }
  }
}

function hasten({ sales }: Registry): void {
  const now = performance.now();
  for (const { streams } of sales.values())
    for (const stream of streams)
      stream.endsAt = Math.min(stream.endsAt, now + OFF_SPREAD_MS * Math.random());
}
