import { processWide } from '@/lib/process-wide';
import 'server-only';
import { nowMs } from '@/lib/clock';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import type { Refusal, RefusalKind } from './types';
import { writeLost, writeRefusals } from './write-refusals';

/** The most different refusals that wait to be written; further ones are counted as lost. About 200 bytes each. */
const MOST_WAITING = 50_000;
const FLUSH_AFTER_MS = 1_000;
/**
 * Refusals in one write: an estimated 30 ms of Postgres a second, however many shoppers are refused. After a rush the
 * rest follows.
 */
const AT_ONCE = 2_000;
const MAX_SALES = 1_000;

type Noted = { firstAt: number; lastAt: number; times: number; available: number | null };
/** Refusals of one kind, by user. */
type Group = { kind: Omit<RefusalKind, 'userId'>; users: Map<string, Noted> };

type Notes = {
  groups: Map<string, Group>;
  /** The number of different refusals in all groups. */
  waiting: number;
  /** The number of lost refusals, by sale. */
  lost: Map<string, number>;
  timer?: NodeJS.Timeout;
  writing?: Promise<boolean>;
  isFailing: boolean;
};

const notes = processWide(
  'refusals',
  (): Notes => ({ groups: new Map(), waiting: 0, lost: new Map(), isFailing: false }),
);

/**
 * Remembers that a shopper was refused, so that the shop can say why. Keeps it in memory, from where it is written
 * once a second. For the hot path: it costs two lookups in maps (0.4 µs; one map with the user in its key took 7). If
 * the process is killed, refusals not yet written are lost.
 * @param available units left, as far as the process knows without asking; null if it doesn't.
 */
export function noteRefusal(kind: RefusalKind, available: number | null): void {
  const at = nowMs();
  const group = groupOf(notes, kind);
  const known = group.users.get(kind.userId);
  if (known) {
    known.times += 1;
    known.lastAt = at;
  } else addNew(notes, group, kind.userId, { firstAt: at, lastAt: at, times: 1, available });
}

/**
 * Writes all waiting refusals, for the end of a process and for tests. False if Postgres can't be reached; then they
 * go on waiting.
 */
export async function flushRefusals(): Promise<boolean> {
  while (notes.waiting > 0 || notes.lost.size > 0) {
    if (!(await writeSome(notes))) return false;
  }
  return true;
}

function groupOf(held: Notes, { saleId, place, code, risk }: Omit<RefusalKind, 'userId'>): Group {
  const key = `${saleId} ${place} ${code} ${risk}`;
  let group = held.groups.get(key);
  if (!group) {
    group = { kind: { saleId, place, code, risk }, users: new Map() };
    held.groups.set(key, group);
  }
  return group;
}

function addNew(held: Notes, { kind, users }: Group, userId: string, noted: Noted): void {
  if (held.waiting < MOST_WAITING) {
    users.set(userId, noted);
    held.waiting += 1;
  } else addLost(held, kind.saleId, noted.times);
  startTimer(held);
}

/** Puts back a refusal that could not be written; it is merged with newer ones. */
function putBack(held: Notes, { userId, firstAt, lastAt, times, available, ...kind }: Refusal): void {
  const group = groupOf(held, kind);
  const known = group.users.get(userId);
  if (known) {
    known.times += times;
    known.firstAt = firstAt;
    known.available = available;
  } else addNew(held, group, userId, { firstAt, lastAt, times, available });
}

function addLost(held: Notes, saleId: string, times: number): void {
  if (held.lost.size < MAX_SALES || held.lost.has(saleId))
    held.lost.set(saleId, (held.lost.get(saleId) ?? 0) + times);
}

function startTimer(held: Notes): void {
  held.timer ??= setTimeout(() => {
    held.timer = undefined;
    void writeSome(held).finally(() => {
      if (held.waiting > 0 || held.lost.size > 0) startTimer(held);
    });
  }, FLUSH_AFTER_MS).unref();
}

/** Allows one write at a time: a caller that comes meanwhile waits for it. */
function writeSome(held: Notes): Promise<boolean> {
  held.writing ??= write(held).finally(() => {
    held.writing = undefined;
  });
  return held.writing;
}

/** Takes out the next batch: of each kind the refusals that have waited longest, and the kinds in turn. */
function takeBatch(held: Notes): Refusal[] {
  const batch: Refusal[] = [];
  for (const [key, { kind, users }] of [...held.groups]) {
    held.groups.delete(key);
    for (const [userId, noted] of users) {
      if (batch.length === AT_ONCE) break;
      batch.push({ ...kind, userId, ...noted });
      users.delete(userId);
    }
    // Moves the group to the end: a crowd at one sale must not keep the others waiting.
    if (users.size > 0) held.groups.set(key, { kind, users });
    if (batch.length === AT_ONCE) break;
  }
  held.waiting -= batch.length;
  return batch;
}

/** Writes one batch. Never fails. @returns false if Postgres can't be reached. */
async function write(held: Notes): Promise<boolean> {
  const batch = takeBatch(held);
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
    // If Postgres itself rejects a batch, it would do so for ever, so its refusals are counted as lost.
    for (const refusal of batch) {
      if (isAway) putBack(held, refusal);
      else addLost(held, refusal.saleId, refusal.times);
    }
    if (isAway) for (const [saleId, times] of lost) addLost(held, saleId, times);
    return !isAway;
  }
}
