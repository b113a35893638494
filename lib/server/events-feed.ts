import 'server-only';
import { findState } from '@/lib/checkout/sales/read-state';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { log } from '@/lib/http/log';
import { gapMs, newsIn, nextLookMs } from './events-news';

/** A sale that can't be read for this long is not followed any more: its readers shall ask elsewhere. */
const BLIND_AFTER_MS = 1_000;
/** However many changes are announced, a sale is not looked at more often than this. */
const MIN_LOOK_MS = 20;

export type Feed = {
  /** Redis's time now, as far as it is known. */
  serverTime: () => number;
  /** What is known last. */
  latest: () => SaleState;
  /** Looks at once: something was announced. */
  lookNow: () => void;
  /** Takes in a state that somebody else has just read. */
  observe: (state: SaleState) => void;
  stop: () => void;
};

type Options = {
  state: SaleState;
  countSales: () => number;
  countReaders: () => number;
  onNews: (state: SaleState) => void;
  /** The sale can't be read; the feed has stopped. */
  onBlind: () => void;
};

/** Follows one sale for all its readers in this process: one timer and one read at a time, however many they are. */
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
    // Two readings may arrive in the wrong order; an older one is no news.
    if (now.serverTime < latest.serverTime && seenAt > performance.now() - BLIND_AFTER_MS) return;
    latest = now;
    seenAt = performance.now();
    if (seenAt - toldAt < gapMs(newsIn(told, now), countReaders())) return;
    told = now;
    toldAt = seenAt;
    onNews(now);
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
    lookIn(isAnnounced ? MIN_LOOK_MS : nextLookMs(latest, countSales()));
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
