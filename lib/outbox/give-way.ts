import { MAX_BATCH } from './order-batch';
import type { RawEntry } from './types';

/** A full batch that was accepted within this time begins a rush: 4,000 purchases a second. */
const RUSH_MS = 125;
/** How long orders are left lying in one rush at most, and mails, ms. */
const LONGEST_MS = 2_500;
const MAILS_LONGEST_MS = 60_000;
/** How often to look whether the rush goes on, ms. */
const LOOK_EVERY_MS = 50;
/** Writing slows selling down once work waits for a processor in this share of the time. */
const CROWDED = 0.2;

/** The readings that decide whether to wait. */
type Signs = {
  /** Reads for how long somebody has waited for a processor, µs since some time; null: not known. */
  waitedUs: () => number | null;
  /** Returns the id of the newest entry in a sale's outbox. @throws connection errors */
  newestEntry: (saleId: string) => Promise<string | undefined>;
};

/** Lets what sells have the processors in a rush. One for all relay loops of a process. */
export interface GiveWay {
  /** Notes what was read, by sale. @param now ms of a clock that never goes back */
  note(batches: ReadonlyMap<string, readonly RawEntry[]>, now: number): void;
  /** Returns how long to leave orders lying before asking again, ms; 0: they may be read. Never rejects. */
  waitMs(now: number): Promise<number>;
  /** Tells whether mails should wait: orders of a rush are still to be read, and it began less than a minute ago. */
  holdsMails(now: number): boolean;
}

type Look = { at: number; waitedUs: number; newest: string };
type Rush = { saleId: string; from: number; goesOn: boolean; lookedAt: number; last: Look | null };

/**
 * Postpones writing orders in a rush: it would take time from purchases that wait, while an accepted one is safe in
 * Redis. A rush is more than 4,000 purchases a second while work waits for a processor of this machine. Orders wait 2.5
 * s at most, not at all where the system does not tell who waits (decision 053).
 */
export function createGiveWay({ waitedUs, newestEntry }: Signs): GiveWay {
  let rush: Rush | null = null;

  const look = async (saleId: string, now: number): Promise<Look | null> => {
    const waited = waitedUs();
    const newest = await newestEntry(saleId).catch(() => undefined);
    return waited === null || newest === undefined ? null : { at: now, waitedUs: waited, newest };
  };
  const goesOn = (before: Look, { at, waitedUs: waited, newest }: Look): boolean =>
    newest !== before.newest && waited - before.waitedUs >= CROWDED * 1_000 * (at - before.at);

  return {
    note(batches, now) {
      const full = [...batches].filter(([, entries]) => entries.length >= MAX_BATCH);
      // All that came was read: the next rush has its own time.
      if (full.length === 0) rush = null;
      const [fast] = full.find(([, entries]) => tookMs(entries) <= RUSH_MS) ?? [];
      if (fast !== undefined)
        rush ??= {
          saleId: fast,
          from: now,
          goesOn: true,
          lookedAt: Number.NEGATIVE_INFINITY,
          last: null,
        };
    },
    async waitMs(now) {
      const current = rush;
      if (!current?.goesOn || now >= current.from + LONGEST_MS) return 0;
      if (now - current.lookedAt >= LOOK_EVERY_MS) {
        current.lookedAt = now;
        const { last } = current;
        const seen = await look(current.saleId, now);
        current.last = seen;
        // The first look only begins to measure.
        current.goesOn = seen !== null && (last === null || goesOn(last, seen));
      }
      return current.goesOn ? LOOK_EVERY_MS : 0;
    },
    holdsMails: (now) => rush !== null && now < rush.from + MAILS_LONGEST_MS,
  };
}

/** Returns in which time a batch was accepted, ms. The time of an entry is the first part of its id. */
function tookMs(entries: readonly RawEntry[]): number {
  const [first, last] = [entries[0], entries.at(-1)];
  return first && last ? Number.parseInt(last.entryId, 10) - Number.parseInt(first.entryId, 10) : 0;
}
