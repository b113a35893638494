import type { Totals } from './process-figures';

/** How far back "recently" goes, ms. */
export const RECENT_MS = 60_000;

type Reading = { at: number; totals: Totals };

const NOTHING: Totals = {
  requests: 0,
  failed: 0,
  written: 0,
  delayMs: 0,
  unconfirmed: 0,
  failedSearches: {},
  signIns: { wrong: 0, attacked: 0 },
  locks: {},
};

/**
 * Computes the counts of the last minute from readings of the counters. The counting itself knows nothing of it.
 * @returns a function that takes a reading and answers the difference to the one a minute ago; in the first minute
 *   everything.
 */
export function createRecentTotals(): (totals: Totals, at: number) => Totals {
  let base: Reading = { at: Number.NEGATIVE_INFINITY, totals: NOTHING };
  let later: Reading[] = [];
  return (totals, at) => {
    base = later.findLast((reading) => reading.at <= at - RECENT_MS) ?? base;
    later = [...later.filter((reading) => reading.at > base.at), { at, totals }];
    return minus(totals, base.totals);
  };
}

function minus(now: Totals, before: Totals): Totals {
  const locks = Object.entries(now.locks).map(([kind, { tries, waitMs, longHolds, heldLong }]) => {
    const then = before.locks[kind] ?? { tries: 0, waitMs: 0, longHolds: 0 };
    return [
      kind,
      {
        tries: tries - then.tries,
        waitMs: waitMs - then.waitMs,
        longHolds: longHolds - then.longHolds,
        heldLong,
      },
    ];
  });
  return {
    requests: now.requests - before.requests,
    failed: now.failed - before.failed,
    written: now.written - before.written,
    delayMs: now.delayMs - before.delayMs,
    unconfirmed: now.unconfirmed - before.unconfirmed,
    failedSearches: Object.fromEntries(
      // A sale that was forgotten in between is counted anew.
      Object.entries(now.failedSearches).map(([saleId, failed]) => [
        saleId,
        Math.max(0, failed - (before.failedSearches[saleId] ?? 0)),
      ]),
    ),
    signIns: {
      wrong: now.signIns.wrong - before.signIns.wrong,
      attacked: now.signIns.attacked - before.signIns.attacked,
    },
    locks: Object.fromEntries(locks),
  };
}
