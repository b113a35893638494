import 'server-only';
import type { Pool, PoolClient } from 'pg';
import { canonical } from './canonical';
import { newId } from './ids';
import type { Executor } from './types';

/**
 * An event as stored. `id` is the executor's own; `key` is the one for de-duplication (the sender's id, if it gave
 * one).
 */
interface StoredEvent {
  id: string;
  key: string;
  /** Epoch ms; runs do not start before it. */
  ts: number;
  payload: { name: string } & Record<string, unknown>;
}

const DEDUP_HOURS = 24;

const STATEMENT = {
  name: 'executor-start-runs',
  text: `
    WITH stored AS (
      INSERT INTO executor.events (id, name, payload, received_at)
      SELECT id, name, payload::json, $9 FROM unnest($1::text[], $2::text[], $3::text[]) AS e (id, name, payload)
      ON CONFLICT (id) DO NOTHING
    ), wanted AS (
      SELECT * FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
        AS w (run_id, function_id, event_id, event_key, due_at)
    ), fresh AS (
      INSERT INTO executor.seen AS s (function_id, event_key, seen_at)
      SELECT DISTINCT function_id, event_key, $9::timestamptz FROM wanted
      ON CONFLICT (function_id, event_key) DO UPDATE SET seen_at = excluded.seen_at
        WHERE s.seen_at < excluded.seen_at - interval '${DEDUP_HOURS} hours'
      RETURNING function_id, event_key
    ), run AS (
      INSERT INTO executor.runs (id, function_id, event_id, created_at)
      SELECT DISTINCT ON (function_id, event_key) run_id, function_id, event_id, $9::timestamptz
      FROM wanted JOIN fresh USING (function_id, event_key)
      ORDER BY function_id, event_key, run_id
      RETURNING id
    ), queued AS (
      INSERT INTO executor.queue (run_id, function_id, due_at)
      SELECT w.run_id, w.function_id, w.due_at FROM wanted w JOIN run ON run.id = w.run_id
    )
    SELECT count(*)::int AS started, CASE WHEN count(*) > 0 THEN pg_notify('executor_wake', $10) END FROM run`,
};

/**
 * Stores events and starts a run per event and function, once per function and event key within 24 hours. All in one
 * statement, so it happens completely or not at all.
 * @param functionIdsOf the functions an event starts.
 * @returns how many runs were started.
 */
export async function startRuns(
  executor: Executor,
  db: Pool | PoolClient,
  events: readonly StoredEvent[],
  functionIdsOf: (event: StoredEvent) => readonly string[],
): Promise<number> {
  const nowMs = executor.config.clock();
  const wanted = events.flatMap((event) => functionIdsOf(event).map((functionId) => ({ event, functionId })));
  const result = await db.query<{ started: number }>({
    ...STATEMENT,
    values: [
      events.map((event) => event.id),
      events.map((event) => event.payload.name),
      events.map((event) => canonical(event.payload)),
      wanted.map(() => newId(nowMs)),
      wanted.map(({ functionId }) => functionId),
      wanted.map(({ event }) => event.id),
      wanted.map(({ event }) => event.key),
      wanted.map(({ event }) => new Date(Math.max(event.ts, nowMs))),
      new Date(nowMs),
      executor.owner,
    ],
  });
  return result.rows[0]?.started ?? 0;
}
