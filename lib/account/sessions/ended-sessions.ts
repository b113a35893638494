import 'server-only';
import { db } from '@/lib/db/client';
import { followList } from '@/lib/follow/follow-list';
import { log } from '@/lib/http/log';
import { channels } from '@/lib/redis/keys';

/** An entry token lives a day at most; after that no code asks whether its session has ended. */
export const KEEP_ENDED_MS = 25 * 3_600_000;
/** About 100 bytes each: room for ten a second for a day. */
const MAX_ENTRIES = 1_000_000;
const PAGE_SIZE = 5_000;

type Ended = { id: string; endedAt: number };
type Row = { id: string; ended_at: Date; change: bigint };

const toEnded = ({ id, ended_at }: Row): Ended => ({ id, endedAt: ended_at.getTime() });

async function readMark(): Promise<bigint> {
  const [row] = await db().$queryRaw<
    { mark: bigint }[]
  >`SELECT COALESCE(max(change), 0) AS mark FROM sessions`;
  return row?.mark ?? 0n;
}

async function* streamChanges(from: bigint): AsyncGenerator<{ changes: Ended[]; mark: bigint }> {
  for (let mark = from; ; ) {
    const rows = await db().$queryRaw<Row[]>`
      SELECT id, ended_at, change FROM sessions WHERE change > ${mark} ORDER BY change LIMIT ${PAGE_SIZE}`;
    mark = rows.at(-1)?.change ?? mark;
    yield { changes: rows.map(toEnded), mark };
    if (rows.length < PAGE_SIZE) return;
  }
}

async function* streamLive(mark: bigint): AsyncGenerator<Ended[]> {
  const since = new Date(Date.now() - KEEP_ENDED_MS);
  for (let after = 0n; ; ) {
    const rows = await db().$queryRaw<Row[]>`
      SELECT id, ended_at, change FROM sessions
      WHERE change > ${after} AND change <= ${mark} AND ended_at > ${since} ORDER BY change LIMIT ${PAGE_SIZE}`;
    yield rows.map(toEnded);
    if (rows.length < PAGE_SIZE) return;
    after = (rows.at(-1) as Row).change;
  }
}

const ended = followList<Map<string, number>, Ended>({
  name: 'ended sessions',
  channel: channels.sessionsEnded,
  createMemory: () => new Map(),
  readMark,
  streamLive,
  streamChanges,
  take(memory, changes) {
    const room = MAX_ENTRIES - memory.size;
    for (const { id, endedAt } of changes.slice(0, room)) memory.set(id, endedAt);
    const left = changes.length - room;
    if (left > 0) log.error({ left }, 'too many sessions ended within a day: entry tokens of some stay good');
  },
  sweep(memory, nowMs) {
    for (const [id, endedAt] of memory) if (endedAt < nowMs - KEEP_ENDED_MS) memory.delete(id);
  },
});

/** The sessions that have ended, in this process's memory; see `FollowedList`. */
export const {
  known: knownEndedSessions,
  isKnownSince: areEndedSessionsKnownSince,
  watch: watchEndedSessions,
  stop: stopWatchingEndedSessions,
  announce: announceEndedSessions,
} = ended;
