import 'server-only';
import { db } from '@/lib/db/client';
import { followList } from '@/lib/follow/follow-list';
import { log } from '@/lib/http/log';
import { channels } from '@/lib/redis/keys';
import { TOKEN_MS } from './types';

/** No entry token of a turn lives longer after it was left; a minute more, because clocks differ. */
const KEEP_MS = TOKEN_MS + 60_000;
const MAX_ENTRIES = 200_000;
const PAGE_SIZE = 5_000;

type Left = { key: string; leftAt: number };
type Row = { sale_id: string; user_id: string; left_at: Date; change: bigint };

const keyOf = (saleId: string, userId: string): string => `${saleId} ${userId}`;
const toLeft = ({ sale_id, user_id, left_at }: Row): Left => ({
  key: keyOf(sale_id, user_id),
  leftAt: left_at.getTime(),
});

const readPage = (after: bigint): Promise<Row[]> =>
  db().$queryRaw<Row[]>`
    SELECT sale_id, user_id, left_at, turn_left_change AS change FROM line_entries
    WHERE turn_left_change > ${after} ORDER BY turn_left_change LIMIT ${PAGE_SIZE}`;

const left = followList<Map<string, number>, Left>({
  name: 'left turns',
  channel: channels.turnsLeft,
  createMemory: () => new Map(),
  async readMark() {
    // People who left earlier can't buy any more.
    const [row] = await db().$queryRaw<{ mark: bigint }[]>`
      SELECT coalesce(max(turn_left_change), 0) AS mark FROM line_entries
      WHERE turn_left_change IS NOT NULL AND left_at < now() - make_interval(secs => ${KEEP_MS / 1_000})`;
    return row?.mark ?? 0n;
  },
  async *streamLive() {},
  async *streamChanges(from) {
    for (let mark = from; ; ) {
      const rows = await readPage(mark);
      mark = rows.at(-1)?.change ?? mark;
      yield { changes: rows.map(toLeft), mark };
      if (rows.length < PAGE_SIZE) return;
    }
  },
  take(memory, changes) {
    const room = MAX_ENTRIES - memory.size;
    for (const { key, leftAt } of changes.slice(0, room)) memory.set(key, leftAt);
    const more = changes.length - room;
    if (more > 0) log.error({ more }, 'too many turns were left: some of their entry tokens stay good');
  },
  sweep(memory, nowMs) {
    for (const [key, leftAt] of memory) if (leftAt < nowMs - KEEP_MS) memory.delete(key);
  },
});

/** The turns that were left, in this process's memory; see `FollowedList`. */
export const { watch: watchLeftTurns, stop: stopWatchingLeftTurns, announce: announceLeftTurns } = left;

/**
 * Tells whether an entry token comes from a turn that its shopper has left since. A later turn's token lives longer than any
 * of an earlier turn could. Reads only this process's memory, for the hot path; always false in a process that does not
 * `watchLeftTurns`.
 */
export function isTurnLeft({ saleId, userId, expiresAt }: TokenOfTurn): boolean {
  const known = left.known();
  const leftAt = known?.size ? known.get(keyOf(saleId, userId)) : undefined;
  return leftAt !== undefined && expiresAt <= leftAt + TOKEN_MS;
}
type TokenOfTurn = { saleId: string; userId: string; expiresAt: number };
