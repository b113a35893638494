import { processWide } from '@/lib/process-wide';

/** An event for the append-only audit log that a stranger can cause as often as he likes. */
export type SecurityEvent = {
  /** Named noun.verb, like the audit log's actions. */
  action:
    | 'session.start'
    | 'session.refuse'
    | 'account.attack'
    | 'access.refuse'
    | 'password.ask_reset'
    | 'factor.refuse';
  actor: { userId: string; role: string };
  subject: { kind: string; id: string };
  /** Other known facts, such as the address; two events are the same only if these are. */
  facts: Record<string, string | number>;
};

/** Equal events within one span become one entry. Times in epoch ms. */
export type NotedEvent = SecurityEvent & { count: number; since: number; until: number };

/** How long events of a kind are gathered before they are written, and how many different ones at most. */
const SPANS: Record<SecurityEvent['action'], { gatherMs: number; mostKept: number }> = {
  'session.start': { gatherMs: 5_000, mostKept: 1_000 },
  'account.attack': { gatherMs: 5_000, mostKept: 50 },
  // A flood of failures gives a hundred entries a minute from each process, and one for all the rest.
  'session.refuse': { gatherMs: 60_000, mostKept: 100 },
  'factor.refuse': { gatherMs: 60_000, mostKept: 100 },
  'password.ask_reset': { gatherMs: 5_000, mostKept: 100 },
  'access.refuse': { gatherMs: 60_000, mostKept: 100 },
};

const NOBODY = { userId: 'system', role: 'system' };

const noted = processWide('security-events', () => new Map<string, NotedEvent>());

/** Notes an event in memory only: if the process is killed, it loses some of the last minute's events. */
export function noteEvent(event: SecurityEvent, nowMs = Date.now()): void {
  add(event, 1, nowMs);
}

/** Removes and returns the events whose span is over, the oldest first; all of them if `isLast`. */
export function takeEvents(nowMs = Date.now(), isLast = false): NotedEvent[] {
  const due = [...noted].filter(([, { action, since }]) => isLast || nowMs - since >= SPANS[action].gatherMs);
  for (const [key] of due) noted.delete(key);
  return due.map(([, event]) => event);
}

/** Puts back the events that could not be written. */
export function returnEvents(events: readonly NotedEvent[]): void {
  for (const event of events) {
    const { count, since, until, ...plain } = event;
    add(plain, count, since, until);
  }
}

/** An event that finds no room is counted with the others of its kind. */
function add(given: SecurityEvent, count: number, since: number, until = since): void {
  const { action } = given;
  const hasRoom = noted.has(keyOf(given)) || keptOf(action) < SPANS[action].mostKept;
  const event = hasRoom
    ? given
    : { action, actor: NOBODY, subject: { kind: 'many', id: 'others' }, facts: {} };
  const key = keyOf(event);
  const known = noted.get(key);
  if (!known) noted.set(key, { ...event, count, since, until });
  else {
    known.count += count;
    known.since = Math.min(known.since, since);
    known.until = Math.max(known.until, until);
  }
}

const keyOf = ({ action, actor, subject, facts }: SecurityEvent) =>
  JSON.stringify([action, actor.userId, subject.kind, subject.id, facts]);

/** At most 1,250 events are noted: counting them takes microseconds. */
const keptOf = (wanted: SecurityEvent['action']) =>
  [...noted.values()].filter(({ action, subject }) => action === wanted && subject.kind !== 'many').length;
