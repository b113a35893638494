import 'server-only';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { log } from '@/lib/http/log';
import { findState } from '@/lib/sale/read-state';
import { gapMs, newsIn, nextLookMs, type Urgency } from './events-news';

/** The feed stops following a sale it can't read for this long: its readers should ask elsewhere. */
const BLIND_AFTER_MS = 1_000;
/** The shortest time between two reads of a sale, however many changes are announced. */
const MIN_LOOK_MS = 20;

export type Feed = {
  /** Returns Redis's time now, as far as this process knows it. */
  serverTime: () => number;
  /** Returns the last known state. */
  latest: () => SaleState;
  /** Reads the sale at once, because a change was announced. */
  lookNow: () => void;
  /** Takes a state that another part of the process has just read. */
  observe: (state: SaleState) => void;
  stop: () => void;
};

type Options = {
  state: SaleState;
  countSales: () => number;
  countReaders: () => number;
  onNews: (state: SaleState, urgency: Urgency) => void;
  /** Called when the sale can't be read; the feed has stopped. */
  onBlind: () => void;
};

/**
 * Follows one sale for all its readers in this process with one timer and one read at a time, however many readers
 * there are.
 */
export function startFeed({ state, countSales, countReaders, onNews, onBlind }: Options): Feed {
  const { saleId } = state;
  let told = state;
  let latest = state;
  let seenAt = performance.now();
  let toldAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isAnnounced = false;
  let isStopped = false;

  const lookIn = (delayMs: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(look, delayMs).unref();
  };
  const observe = (now: SaleState) => {
    // Two reads may arrive in the wrong order; an older one is no news.
    if (now.serverTime < latest.serverTime && seenAt > performance.now() - BLIND_AFTER_MS) return;
    latest = now;
    seenAt = performance.now();
    const news = newsIn(told, now);
    if (seenAt - toldAt < gapMs(news, countReaders())) return;
    told = now;
    toldAt = seenAt;
    onNews(now, news);
  };
  const look = async () => {
    isLooking = true;
    isAnnounced = false;
    lookedAt = performance.now();
    const result = await findState(saleId).catch((err: unknown) => {
      log.error({ saleId, err }, 'a sale could not be followed');
      return null;
    });
    isLooking = false;
    if (isStopped) return;
    if (result?.status === 'found') observe(result.state);
    else if (performance.now() - seenAt > BLIND_AFTER_MS) {
      isStopped = true;
      onBlind();
      return;
    }
    lookIn(isAnnounced ? MIN_LOOK_MS : Math.min(nextLookMs(latest, countSales()), untilToldMs()));
  };
  /** Returns when the news that came too soon after the last may be told: a paused sale is looked at rarely. */
  const untilToldMs = () => {
    const news = newsIn(told, latest);
    if (news === 'none') return Number.POSITIVE_INFINITY;
    return Math.max(MIN_LOOK_MS, gapMs(news, countReaders()) - (performance.now() - toldAt));
  };
  lookIn(nextLookMs(state, countSales()));

  return {
    serverTime: () => Math.floor(latest.serverTime + (performance.now() - seenAt)),
    latest: () => latest,
    lookNow() {
      isAnnounced = true;
      if (!isLooking) lookIn(Math.max(0, MIN_LOOK_MS - (performance.now() - lookedAt)));
    },
    observe,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
