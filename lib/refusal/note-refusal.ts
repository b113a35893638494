import 'server-only';
import { nowMs } from '@/lib/clock';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import type { Refusal, RefusalKind } from './types';
import { writeLost, writeRefusals } from './write-refusals';

/** Different refusals that wait to be written; what comes on top is counted as lost. About 300 bytes each. */
const MOST_WAITING = 50_000;
const FLUSH_AFTER_MS = 1_000;
/** Written at once: about 30 ms of Postgres a second, however many are refused. The rest of a rush follows after it. */
const AT_ONCE = 2_000;
const MAX_SALES = 1_000;

type Notes = {
  waiting: Map<string, Refusal>;
  /** By sale. */
  lost: Map<string, number>;
  timer?: NodeJS.Timeout;
  writing?: Promise<boolean>;
  isFailing: boolean;
};

// The web process holds this module twice, in the fast lane and in Next's bundle: one flush must write for both.
const holder = globalThis as typeof globalThis & { seckillRefusals?: Notes };

function notes(): Notes {
  holder.seckillRefusals ??= { waiting: new Map(), lost: new Map(), isFailing: false };
  return holder.seckillRefusals;
}

/**
 * Remembers that somebody was refused, to be able to say why. In memory alone, and written once a second: for the hot path,
 * where it costs one look into a map. What a killed process had not written is lost.
 * @param available units left, as far as the process knows without asking; null if it doesn't.
 */
export function noteRefusal(kind: RefusalKind, available: number | null): void {
  const at = nowMs();
  add(notes(), { ...kind, firstAt: at, lastAt: at, times: 1, available });
}

/** Writes all that waits, for the end of a process and for tests. False if Postgres can't be reached; it waits on then. */
export async function flushRefusals(): Promise<boolean> {
  const held = notes();
  while (held.waiting.size > 0 || held.lost.size > 0) {
    if (!(await writeSome(held))) return false;
  }
  return true;
}

function add(held: Notes, refusal: Refusal): void {
  const { saleId, userId, place, code, risk } = refusal;
  const key = `${saleId} ${userId} ${place} ${code} ${risk}`;
  const known = held.waiting.get(key);
  if (known) {
    known.times += refusal.times;
    known.lastAt = Math.max(known.lastAt, refusal.lastAt);
    if (refusal.firstAt < known.firstAt) {
      known.firstAt = refusal.firstAt;
      known.available = refusal.available;
    }
    return;
  }
  if (held.waiting.size < MOST_WAITING) held.waiting.set(key, refusal);
  else addLost(held, saleId, refusal.times);
  startTimer(held);
}

function addLost(held: Notes, saleId: string, times: number): void {
  if (held.lost.size < MAX_SALES || held.lost.has(saleId))
    held.lost.set(saleId, (held.lost.get(saleId) ?? 0) + times);
}

function startTimer(held: Notes): void {
  held.timer ??= setTimeout(() => {
    held.timer = undefined;
    void writeSome(held).finally(() => {
      if (held.waiting.size > 0 || held.lost.size > 0) startTimer(held);
    });
  }, FLUSH_AFTER_MS).unref();
}

/** One write at a time: whoever comes meanwhile waits for it. */
function writeSome(held: Notes): Promise<boolean> {
  held.writing ??= write(held).finally(() => {
    held.writing = undefined;
  });
  return held.writing;
}

/** Writes those that have waited longest. Never fails. @returns false if Postgres can't be reached. */
async function write(held: Notes): Promise<boolean> {
  const batch: Refusal[] = [];
  for (const [key, refusal] of held.waiting) {
    if (batch.length === AT_ONCE) break;
    batch.push(refusal);
    held.waiting.delete(key);
  }
  const { lost } = held;
  held.lost = new Map();
  try {
    await writeRefusals(batch);
    batch.length = 0;
    await writeLost(lost);
    held.isFailing = false;
    return true;
  } catch (err) {
    const isAway = isOutage(err);
    if (!held.isFailing) log.warn({ err, refusals: batch.length }, 'refusals could not be written');
    held.isFailing = true;
    // What Postgres itself refuses would be refused for ever.
    for (const refusal of batch) {
      if (isAway) add(held, refusal);
      else addLost(held, refusal.saleId, refusal.times);
    }
    if (isAway) for (const [saleId, times] of lost) addLost(held, saleId, times);
    return !isAway;
  }
}
