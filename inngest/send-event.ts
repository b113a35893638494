import 'server-only';
import { EventRefused } from '@/lib/outbox/event-refused';
import type { RelayEvent } from '@/lib/outbox/types';
import { inngest } from './client';
import { eventsByName } from './events';

/** Statuses that say nothing against the event itself: wrong keys, timeouts, limits. */
const NOT_THE_EVENTS_FAULT = new Set([401, 403, 404, 408, 429]);

/**
 * Hands one event to the executor; resolves once the executor has it.
 * @throws EventRefused if the executor will never take it (not our schema, or a 4xx that blames the event).
 */
export async function sendEvent({ id, name, data, ts }: RelayEvent): Promise<void> {
  const schema = eventsByName.get(name)?.schema;
  if (!schema) throw new EventRefused(`there is no event ${name}`);
  const checked = schema.safeParse(data);
  if (!checked.success) throw new EventRefused(`${name}: ${checked.error.message}`);
  try {
    await inngest().send({ id, name, data: checked.data, ts });
  } catch (error) {
    const status = statusOf(error);
    if (status >= 400 && status < 500 && !NOT_THE_EVENTS_FAULT.has(status)) {
      throw new EventRefused(error instanceof Error ? error.message : String(error), { cause: error });
    }
    throw error;
  }
}

/** Reads the status from an SDK error. The SDK puts it into the message only: `Inngest API Error: 400 …`. */
function statusOf(error: unknown): number {
  const match = /^Inngest API Error: (\d{3})\b/.exec(error instanceof Error ? error.message : '');
  return Number(match?.[1] ?? 0);
}
