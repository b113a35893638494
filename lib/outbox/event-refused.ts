/**
 * The executor, or what answers in its place, refuses an event. It proves nothing against the event unless the executor
 * takes another one.
 */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
}

/** The event that starts nothing: an executor that takes it is there, and works. */
export const PROBE_TOPIC = 'relay/probe';
