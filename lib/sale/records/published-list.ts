import 'server-only';
import { timeAt } from '@/lib/redis/ask-server-of';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import { timeMs } from '@/lib/redis/time-ms';

/** If the holder is silent for this long, any process may take the turn to publish. */
const TURN_MS = 2_000;
/** A list that no process has published to for this long expires. */
const TTL_SEC = 60;
/** The most sales in one call: their JSON is about 400 bytes each. */
export const MAX_CHANGES = 500;
const [GENERATION, COUNT, AT] = ['@generation', '@n', '@at'];
const SCAN_COUNT = 200;
const MAX_ENTRIES = 200;

/** Sale id and JSON; empty: no longer listed. */
export type ListChange = [saleId: string, json: string];

/** A copy of the list, and how many times it has changed. */
export type ListCopy = { generation: string; n: number };

/** The present copy, and how long ago a process last confirmed it, ms. */
export type ListHead = ListCopy & { ageMs: number };

/** One entry of the stream of changes. */
type ListEntry = { entryId: string; n: number; changes: ListChange[] };

const threeKeys = () => [keys.listTurn(), keys.saleList(), keys.saleListChanges()];

/** Takes the turn to publish if no process has it. @throws connection errors */
export async function takeListTurn(owner: string): Promise<boolean> {
  return (await cacheRedis().set(keys.listTurn(), owner, 'PX', TURN_MS, 'NX')) === 'OK';
}

/**
 * Gives the turn back if this owner still has it. If it runs out between the two commands, this deletes another
 * owner's turn; a turn lasts 2 s at most anyway.
 */
export async function giveListTurn(owner: string): Promise<void> {
  const redis = cacheRedis();
  if ((await redis.get(keys.listTurn())) === owner) await redis.del(keys.listTurn());
}

/**
 * Publishes the changes, or that there are none, and keeps the turn.
 * @param copy the one that is changed; `n` −1: a new one, of which `changes` are all. @param changes at most 500, if
 *   not all.
 * @returns the copy as it is now; null if another process has the turn, or that copy is gone. @throws connection
 *   errors
 */
export async function publishChanges(
  owner: string,
  { generation, n }: ListCopy,
  changes: readonly ListChange[],
): Promise<ListCopy | null> {
  const args = [owner, TURN_MS, TTL_SEC, generation, n, ...changes.flat()];
  const reply = await runScript(cacheRedis(), 'publish-list-3', threeKeys(), args);
  if (reply[0] === 'lost') return null;
  if (reply[0] !== 'published') throw new Error(`publish-list-3 answered ${JSON.stringify(reply)}`);
  return { generation, n: Number(reply[1]) };
}

/** Reads the head of the list. @returns null if nothing is published. @throws connection errors */
export async function readListHead(): Promise<ListHead | null> {
  const [[generation, n, at], time] = await Promise.all([
    cacheRedis().hmget(keys.saleList(), GENERATION, COUNT, AT),
    timeAt(cacheRedis(), keys.saleList()),
  ]);
  if (!generation) return null;
  return { generation, n: Number(n), ageMs: Math.max(0, timeMs(time) - Number(at)) };
}

/**
 * Returns the entries after `afterId`, oldest first, at most 200; from the first one if `afterId` is null. @throws
 * connection errors
 */
export async function readListEntries(afterId: string | null): Promise<ListEntry[]> {
  const from = afterId === null ? '-' : `(${afterId}`;
  const entries = await cacheRedis().xrange(keys.saleListChanges(), from, '+', 'COUNT', MAX_ENTRIES);
  return entries.map(([entryId, fields]) => ({
    entryId,
    n: Number(fields[1]),
    changes: toChanges(fields.slice(2)),
  }));
}

/** Returns the last entry of the stream of changes, and how many changes there have been. @throws connection errors */
export async function readLastEntry(): Promise<Pick<ListEntry, 'entryId' | 'n'>> {
  const [last] = await cacheRedis().xrevrange(keys.saleListChanges(), '+', '-', 'COUNT', 1);
  return last ? { entryId: last[0], n: Number(last[1][1]) } : { entryId: '0-0', n: 0 };
}

/** Yields every listed sale, some at a time; one that changes meanwhile may come twice. @throws connection errors */
export async function* scanPublished(): AsyncGenerator<ListChange[]> {
  let cursor = '0';
  do {
    const [next, fields] = await cacheRedis().hscan(keys.saleList(), cursor, 'COUNT', SCAN_COUNT);
    yield toChanges(fields).filter(([saleId]) => !saleId.startsWith('@'));
    cursor = next;
  } while (cursor !== '0');
}

function toChanges(fields: readonly string[]): ListChange[] {
  return Array.from({ length: fields.length / 2 }, (_, at) => [
    fields[2 * at] as string,
    fields[2 * at + 1] as string,
  ]);
}
