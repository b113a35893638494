import { MAX_BATCH } from './order-batch';
import type { RawEntry } from './types';

/** A full batch that was accepted within this time is a rush: at least 4,000 purchases a second. */
const RUSH_MS = 125;
/** How long orders are left lying in one rush at most, ms. */
const LONGEST_MS = 1_500;
/** How often to look whether the rush is over, ms. */
const LOOK_EVERY_MS = 50;
/** Somebody waited for a processor in at least this share of the time: writing would slow down selling. */
const CROWDED = 0.5;

/** Lets what sells have the processors in a rush. One for all relay loops of a process. */
export interface GiveWay {
  /** Notes what was read of one sale. @param now ms of a clock that never goes back */
  note(entries: readonly RawEntry[], now: number): void;
  /** Returns how long to leave orders lying before asking again, ms; 0: they may be read. */
  waitMs(now: number): number;
}

/**
 * In a rush every order that is written takes time from purchases that wait for an answer, while nobody waits for the
 * order: the purchase was accepted and is safe in Redis. So while purchases come faster than 4,000 a second and
 * somebody waits for a processor of this machine, orders are left lying, for 1.5 s at most; then, or as soon as
 * nobody waits, they are written in full batches. Nothing is left lying where the system does not tell who waits.
 * @param waited reads for how long somebody has waited for a processor, µs since some time; null: not known
 */
export function createGiveWay(waited: () => number | null): GiveWay {
  /** Until when orders may be left lying; null: no rush. */
  let until: number | null = null;
  let look: { at: number; waitedUs: number; isCrowded: boolean } | null = null;

  return {
    note(entries, now) {
      const [first, last] = [entries[0], entries.at(-1)];
      // All that came was read: the next rush has its own time.
      if (!first || !last || entries.length < MAX_BATCH) until = null;
      else if (acceptedMs(last) - acceptedMs(first) <= RUSH_MS) until ??= now + LONGEST_MS;
    },
    waitMs(now) {
      if (until === null || now >= until) {
        look = null;
        return 0;
      }
      if (!look || now - look.at >= LOOK_EVERY_MS) {
        const waitedUs = waited();
        if (waitedUs === null) return 0;
        // The first look only begins to measure.
        const isCrowded = !look || waitedUs - look.waitedUs >= CROWDED * 1_000 * (now - look.at);
        look = { at: now, waitedUs, isCrowded };
      }
      return look.isCrowded ? look.at + LOOK_EVERY_MS - now : 0;
    },
  };
}

/** The time of an entry is the first part of its id. */
const acceptedMs = ({ entryId }: RawEntry) => Number.parseInt(entryId, 10);
