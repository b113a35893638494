import 'server-only';
import { z } from 'zod';
import type { Actor } from '@/lib/actor/actor';
import type { Page } from '@/lib/contract/shapes/common';
import type { AdminRun, RunFilter, RunPage } from '@/lib/contract/shapes/queue';
import type { RunState } from '@/lib/contract/words/queue';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import { cutText } from '@/lib/human-text';
import { Prisma } from '@/prisma/generated/client';
import { EVENT_SALES } from './event-sales';
import { hasEmbeddedExecutor } from './has-embedded-executor';
import { ownSales } from './own-sales';

type Row = Omit<AdminRun, 'startedAt' | 'at' | 'error' | 'state'> & {
  key: string;
  startedAt: Date;
  at: Date;
  error: { message?: unknown } | null;
};

const ONLY_SALE = Prisma.sql`CASE WHEN cardinality(d.sales) = 1 THEN d.sales[1] END`;
const MAX_ERROR_LENGTH = 500;
/** A time, and a queue number or the id of a run. */
const cursorSchema = z.tuple([z.iso.datetime(), z.string().regex(/^\w{1,64}$/)]);

/**
 * Returns one page of the executor's runs in one state, of the actor's sales or of all. Sleeping and waiting runs:
 * soonest due first. Active runs: longest first. Failures within the last day: latest first. A run may concern several
 * sales; the error of one that concerns others' sales too is not told.
 * @returns null for a foreign cursor
 */
export async function listRuns(
  actor: Actor,
  { cursor, limit }: Page,
  { state, saleId = '' }: RunFilter,
): Promise<RunPage | null> {
  if (!hasEmbeddedExecutor()) return { executor: 'elsewhere', runs: [], nextCursor: null };
  const from = cursor === undefined ? undefined : readCursor(cursor);
  if (from === null || (from && state !== 'failed' && !/^\d{1,18}$/.test(from[1]))) return null;
  const query = { own: await ownSales(actor), saleId, limit: limit + 1, from };
  const rows = await (state === 'failed' ? readFailed(query) : readQueued(state, query));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    executor: 'embedded',
    runs: page.map(({ key: _, startedAt, at, error, ...row }) => ({
      ...row,
      state,
      startedAt: startedAt.getTime(),
      at: state === 'running' ? null : at.getTime(),
      error: error && cutText(String(error.message ?? ''), MAX_ERROR_LENGTH),
    })),
    nextCursor:
      last && rows.length > limit ? encodeCursor(JSON.stringify([last.at.toISOString(), last.key])) : null,
  };
}

type Cursor = z.output<typeof cursorSchema>;
type Query = {
  own: string[] | null;
  saleId: string;
  limit: number;
  /** The last run of the page before. */
  from: Cursor | undefined;
};

/** Reads unfinished work: asleep until it is due, waiting after a failed attempt, or being done. */
function readQueued(state: Exclude<RunState, 'failed'>, { own, saleId, limit, from }: Query): Promise<Row[]> {
  const [at, key] = from ?? ['-infinity', '0'];
  return db().$queryRaw<Row[]>`
    SELECT q.id::text AS key, r.id AS "runId", regexp_replace(r.function_id, '^seckill-', '') AS "functionId",
           e.name AS event, ${ONLY_SALE} AS "saleId", q.attempt AS attempts, r.created_at AS "startedAt",
           q.due_at AS at, NULL::json AS error
    FROM executor.queue q
    JOIN executor.runs r ON r.id = q.run_id
    JOIN executor.events e ON e.id = r.event_id
    CROSS JOIN LATERAL (SELECT ${EVENT_SALES} AS sales) AS d
    WHERE CASE WHEN q.leased_by IS NOT NULL OR q.due_at <= now() THEN 'running'
               WHEN q.attempt > 0 THEN 'retrying' ELSE 'sleeping' END = ${state}
      AND (date_trunc('milliseconds', q.due_at), q.id) > (${at}::timestamptz, ${key}::bigint)
      AND (${saleId} = '' OR ${saleId} = ANY (d.sales))
      AND (${own === null} OR d.sales && ${own ?? []}::text[])
    ORDER BY date_trunc('milliseconds', q.due_at), q.id LIMIT ${limit}`;
}

function readFailed({ own, saleId, limit, from }: Query): Promise<Row[]> {
  const [at, key] = from ?? ['infinity', ''];
  return db().$queryRaw<Row[]>`
    SELECT r.id AS key, r.id AS "runId", regexp_replace(r.function_id, '^seckill-', '') AS "functionId",
           e.name AS event, ${ONLY_SALE} AS "saleId", NULL::int AS attempts, r.created_at AS "startedAt", r.ended_at AS at,
           CASE WHEN ${own === null} OR d.sales <@ ${own ?? []}::text[] THEN r.error END AS error
    FROM executor.runs r
    JOIN executor.events e ON e.id = r.event_id
    CROSS JOIN LATERAL (SELECT ${EVENT_SALES} AS sales) AS d
    WHERE r.status = 'FAILED' AND r.ended_at IS NOT NULL
      AND (date_trunc('milliseconds', r.ended_at), r.id) < (${at}::timestamptz, ${key})
      AND (${saleId} = '' OR ${saleId} = ANY (d.sales))
      AND (${own === null} OR d.sales && ${own ?? []}::text[])
    ORDER BY date_trunc('milliseconds', r.ended_at) DESC, r.id DESC LIMIT ${limit}`;
}

function readCursor(cursor: string): Cursor | null {
  try {
    return cursorSchema.parse(JSON.parse(decodeCursor(cursor)));
  } catch {
    return null;
  }
}
