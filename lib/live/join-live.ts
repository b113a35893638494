import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import { nowMs } from '@/lib/clock';
import type { Live } from '@/lib/contract/shapes/live';
import { may } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import { isOn } from '@/lib/switchboard/is-on';
import { comeBackInMs } from '@/lib/switchboard/refuse-off';
import { type LiveFeed, liveFeed } from './live-feed';
import { toPoint } from './to-point';

/** The connection to one reader. `send` returns false if the reader has not read what was sent before. */
export type LiveReader = {
  send: (bytes: Buffer) => boolean;
  end: () => void;
  drop: () => void;
  whenGone: (forget: () => void) => void;
};

type LiveRequest = {
  actor: Actor;
  saleId: string;
  /** Epoch ms: the reader already has the points drawn until then. */
  since: number;
  openReader: () => LiveReader;
  /** Finds who the reader's session belongs to by now; null: nobody. */
  identify: () => Promise<Actor | null>;
};

type Stream = {
  reader: LiveReader;
  merchantId: string;
  identify: LiveRequest['identify'];
  /** Monotonic ms. */
  endsAt: number;
  checkAt: number;
  sentAt: number;
  leave: () => void;
};

const MAX_STREAMS = 1_000;
const RETRY_MIN_MS = 500;
const RETRY_SPREAD_MS = 1_500;
const SWEEP_EVERY_MS = 1_000;
/** After this long without an event the reader gets a beat, which shows that at least the connection lives. */
const SILENCE_MS = 1_800;
/** Sign-outs, bans, and changes of roles and members take effect within this time; a normal request would notice them at once. */
const CHECK_EVERY_MS = 5_000;
/** Each stream ends after a while, so that over time the processes share the streams evenly. */
const LIFE_MIN_MS = 120_000;
const LIFE_SPREAD_MS = 120_000;

const streams: { all: Set<Stream>; sweeper?: NodeJS.Timeout } = { all: new Set() };

/**
 * Streams a sale's figures to a reader: first the present ones with the earlier points, then new ones each second, or
 * `event: beat` if there are none. Ends when the reader goes or can't keep up, when its session ends or loses the
 * right, after 2 to 4 minutes, or when the live view is switched off.
 * @returns `not_found` also for another merchant's sale, `unavailable` if there are too many readers or no figures.
 *   @throws as `readLive`
 */
export async function joinLive(
  request: LiveRequest,
): Promise<{ status: 'joined' | 'not_found' | 'unavailable' }> {
  const { actor, saleId, since, openReader, identify } = request;
  const sale = await db().sale.findUnique({ where: { id: saleId }, select: { merchantId: true } });
  if (!sale || !(await maySee(actor, sale.merchantId))) return { status: 'not_found' };
  const feed = streams.all.size < MAX_STREAMS ? liveFeed(saleId) : null;
  const live = await feed?.read();
  if (!feed || !live) return { status: 'unavailable' };

  const reader = openReader();
  const now = performance.now();
  const stream: Stream = {
    reader,
    merchantId: sale.merchantId,
    identify,
    endsAt: now + LIFE_MIN_MS + LIFE_SPREAD_MS * Math.random(),
    checkAt: now + CHECK_EVERY_MS,
    sentAt: now,
    leave: () => {},
  };
  stream.leave = feed.follow((next) => send(stream, eventOf(next)));
  add(stream);
  const retryMs = Math.round(RETRY_MIN_MS + RETRY_SPREAD_MS * Math.random());
  send(stream, Buffer.from(`retry: ${retryMs}\n${format(live, feed.pointsSince(since))}`));
  return { status: 'joined' };
}

const format = (live: Live, points: ReturnType<LiveFeed['pointsSince']>) =>
  `id: ${live.at}\ndata: ${JSON.stringify({ ...live, points })}\n\n`;

const events = new WeakMap<Live, Buffer>();

/** Returns the event of a sample. It is made once, and all readers get the same bytes. */
function eventOf(live: Live): Buffer {
  const known = events.get(live) ?? Buffer.from(format(live, [toPoint(live)]));
  events.set(live, known);
  return known;
}

function add(stream: Stream): void {
  streams.all.add(stream);
  streams.sweeper ??= setInterval(sweep, SWEEP_EVERY_MS).unref();
  stream.reader.whenGone(() => forget(stream));
}

function send(stream: Stream, bytes: Buffer): void {
  if (!streams.all.has(stream)) return;
  stream.sentAt = performance.now();
  if (stream.reader.send(bytes)) return;
  forget(stream);
  stream.reader.drop();
}

function forget(stream: Stream): void {
  if (!streams.all.delete(stream)) return;
  stream.leave();
  if (streams.all.size > 0) return;
  clearInterval(streams.sweeper);
  streams.sweeper = undefined;
}

function end(stream: Stream): void {
  if (!streams.all.has(stream)) return;
  forget(stream);
  stream.reader.end();
}

function sweep(): void {
  const now = performance.now();
  const isOff = !isOn('live');
  const beat = Buffer.from(`event: beat\ndata: ${nowMs()}\n\n`);
  for (const stream of streams.all) {
    if (isOff) send(stream, Buffer.from(`retry: ${comeBackInMs()}\n\n`));
    if (isOff || now >= stream.endsAt) end(stream);
    else if (now - stream.sentAt >= SILENCE_MS) send(stream, beat);
    if (now < stream.checkAt) continue;
    stream.checkAt = now + CHECK_EVERY_MS;
    // If the right can't be checked just now, the stream soon ends by itself.
    isStillAllowed(stream).then(
      (isAllowed) => {
        if (!isAllowed) end(stream);
      },
      () => {},
    );
  }
}

async function isStillAllowed({ identify, merchantId }: Stream): Promise<boolean> {
  const actor = await identify();
  return actor !== null && may(actor.role, 'seeAdmin') && maySee(actor, merchantId);
}
