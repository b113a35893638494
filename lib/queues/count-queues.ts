import 'server-only';
import type { QueueOverview } from '@/lib/contract/shapes/queue';
import { db } from '@/lib/db/client';
import { EVENT_SALES } from './event-sales';
import { hasEmbeddedExecutor } from './has-embedded-executor';

/** The counts of work in Postgres that waits, is being tried or was given up. */
type QueueCounts = Omit<QueueOverview, 'outbox'>;
type RunCounts = NonNullable<QueueCounts['runs']>;

/** Counts the work of these sales; null: all of it. */
export async function countQueues(own: readonly string[] | null): Promise<QueueCounts> {
  const isAll = own === null;
  const ids = [...(own ?? [])];
  const [messages, deadLetters, runs] = await Promise.all([
    db().$queryRaw<QueueCounts['messages']>`
      SELECT topic, count(*)::int AS waiting, count(*) FILTER (WHERE attempts > 0)::int AS failing,
             greatest(0, extract(epoch FROM now() - min(created_at)) * 1000)::float8 AS "oldestAgeMs"
      FROM outgoing_messages
      WHERE sent_at IS NULL AND (${isAll} OR payload->>'saleId' = ANY (${ids}::text[]))
      GROUP BY topic ORDER BY topic`,
    db().$queryRaw<QueueCounts['deadLetters']>`
      SELECT consumer, count(*)::int AS open FROM dead_letters
      WHERE resolved_at IS NULL AND (${isAll} OR sale_id = ANY (${ids}::text[]))
      GROUP BY consumer ORDER BY consumer`,
    hasEmbeddedExecutor() ? countRuns(isAll, ids) : null,
  ]);
  return { messages, deadLetters, runs };
}

async function countRuns(isAll: boolean, ids: string[]): Promise<RunCounts> {
  const [[queued], [ended]] = await Promise.all([
    db().$queryRaw<(Omit<RunCounts, 'failed' | 'nextWakeAt'> & { nextWakeAt: Date | null })[]>`
      SELECT count(*) FILTER (WHERE state = 'running')::int AS running,
             count(*) FILTER (WHERE state = 'sleeping')::int AS sleeping,
             count(*) FILTER (WHERE state = 'retrying')::int AS retrying,
             min(due_at) FILTER (WHERE state = 'sleeping') AS "nextWakeAt"
      FROM (
        SELECT q.due_at, CASE WHEN q.leased_by IS NOT NULL OR q.due_at <= now() THEN 'running'
                              WHEN q.attempt > 0 THEN 'retrying' ELSE 'sleeping' END AS state
        FROM executor.queue q
        WHERE ${isAll} OR EXISTS (SELECT FROM executor.runs r JOIN executor.events e ON e.id = r.event_id
                                  WHERE r.id = q.run_id AND ${EVENT_SALES} && ${ids}::text[])
      ) AS work`,
    db().$queryRaw<{ failed: number }[]>`
      SELECT count(*)::int AS failed FROM executor.runs r
      WHERE r.status = 'FAILED' AND r.ended_at IS NOT NULL
        AND (${isAll} OR EXISTS (SELECT FROM executor.events e WHERE e.id = r.event_id
                                   AND ${EVENT_SALES} && ${ids}::text[]))`,
  ]);
  return {
    running: queued?.running ?? 0,
    sleeping: queued?.sleeping ?? 0,
    retrying: queued?.retrying ?? 0,
    failed: ended?.failed ?? 0,
    nextWakeAt: queued?.nextWakeAt?.getTime() ?? null,
  };
}
