import 'server-only';
import { EventRefused } from '@/lib/outbox/event-refused';
import type { RelayEvent } from '@/lib/outbox/types';
import { inngest } from './client';
import { eventsByName } from './events';

/**
 * The answers of executors to a bad or too large event. Any other 4xx comes from a key, a limit, a proxy or a wrong
 * route, and says nothing about the event.
 */
const REFUSALS = [400, 413];

/**
 * Hands one event to the executor; resolves once the executor has it.
 * @throws EventRefused if the executor will never take it (not our schema, or an answer that blames the event).
 */
export async function sendEvent({ id, name, data, ts }: RelayEvent): Promise<void> {
  const schema = eventsByName.get(name)?.schema;
  if (!schema) throw new EventRefused(`there is no event ${name}`);
  const checked = schema.safeParse(data);
  if (!checked.success) throw new EventRefused(`${name}: ${checked.error.message}`);
  try {
    await inngest().send({ id, name, data: checked.data, ts });
  } catch (error) {
    if (REFUSALS.includes(statusOf(error))) {
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
