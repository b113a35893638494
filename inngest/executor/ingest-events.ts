import 'server-only';
import { z } from 'zod';
import { eventIds } from './ids';
import { startRuns } from './start-runs';
import type { Executor } from './types';

const MAX_EVENTS = 5000;
/** The last millisecond that both Postgres and JavaScript can hold as a time. */
const MAX_TS = 8_640_000_000_000_000;

/** Postgres text can't hold NUL. */
const text = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .refine((value) => !value.includes('\0'), 'must not contain NUL characters');

const eventSchema = z.looseObject({
  name: text(256)
    .min(1)
    .refine((name) => !name.startsWith('inngest/'), 'names that start with inngest/ are reserved'),
  id: text(512).nullish(),
  ts: z.number().int().min(0).max(MAX_TS).nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
});
const bodySchema = z.array(eventSchema);

type IngestResult =
  | { status: 'accepted'; ids: string[]; started: number }
  | { status: 'invalid'; error: string };

/**
 * Takes the body of `POST /e/:key`. When it returns `accepted`, the events and their runs are committed.
 * @param body one event or up to 5000.
 * @param seed the SDK's `x-inngest-event-id-seed`, which makes its retries harmless.
 */
export async function ingestEvents(
  executor: Executor,
  body: unknown,
  seed: string | undefined,
): Promise<IngestResult> {
  const given: unknown[] = Array.isArray(body) ? body : [body];
  if (given.length > MAX_EVENTS) {
    return { status: 'invalid', error: `at most ${MAX_EVENTS} events in one request, got ${given.length}` };
  }
  const parsed = bodySchema.safeParse(given);
  if (!parsed.success) return { status: 'invalid', error: z.prettifyError(parsed.error) };

  const ids = eventIds(seed, parsed.data.length);
  const events = parsed.data.map((event, index) => {
    const id = ids[index] ?? '';
    const key = event.id || id;
    const ts = event.ts || executor.config.clock();
    return { id, key, ts, payload: { ...event, id: key, ts, data: event.data ?? {} } };
  });
  if (events.length === 0) return { status: 'accepted', ids, started: 0 };

  const triggers = await executor.pool.query<{ event_name: string; function_id: string }>({
    name: 'executor-triggers',
    text: 'SELECT event_name, function_id FROM executor.triggers WHERE event_name = ANY ($1)',
    values: [[...new Set(events.map((event) => event.payload.name))]],
  });
  const started = await startRuns(executor, executor.pool, events, (event) =>
    triggers.rows.filter((row) => row.event_name === event.payload.name).map((row) => row.function_id),
  );
  return { status: 'accepted', ids, started };
}
