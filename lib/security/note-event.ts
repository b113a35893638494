import { processWide } from '@/lib/process-wide';

/** Something that belongs in the log that can only grow, and that a stranger may bring about as often as he likes. */
export type SecurityEvent = {
  /** noun.verb, as the audit log has it. */
  action: 'session.start' | 'session.refuse' | 'account.attack' | 'access.refuse';
  actor: { userId: string; role: string };
  subject: { kind: string; id: string };
  /** What else is known, such as the address; part of what makes two events the same. */
  facts: Record<string, string | number>;
};

/** The same events of one span are one entry. Times in epoch ms. */
export type NotedEvent = SecurityEvent & { count: number; since: number; until: number };

/** How long events of a kind are gathered before they are written, and how many different ones at most. */
const SPANS: Record<SecurityEvent['action'], { gatherMs: number; mostKept: number }> = {
  'session.start': { gatherMs: 5_000, mostKept: 1_000 },
  'account.attack': { gatherMs: 5_000, mostKept: 50 },
  // A flood of failures is a hundred entries a minute from each process, and one for all the rest.
  'session.refuse': { gatherMs: 60_000, mostKept: 100 },
  'access.refuse': { gatherMs: 60_000, mostKept: 100 },
};

const NOBODY = { userId: 'system', role: 'system' };

const noted = processWide('security-events', () => new Map<string, NotedEvent>());

/** Notes an event, in memory only: some of the last minute are lost when the process is killed. */
export function noteEvent(event: SecurityEvent, nowMs = Date.now()): void {
  add(event, 1, nowMs);
}

/** Takes out the events whose span is over, the oldest first; all of them if `isLast`. */
export function takeEvents(nowMs = Date.now(), isLast = false): NotedEvent[] {
  const due = [...noted].filter(([, { action, since }]) => isLast || nowMs - since >= SPANS[action].gatherMs);
  for (const [key] of due) noted.delete(key);
  return due.map(([, event]) => event);
}

/** Puts back what could not be written. */
export function returnEvents(events: readonly NotedEvent[]): void {
  for (const event of events) {
    const { count, since, until, ...plain } = event;
    add(plain, count, since, until);
  }
}

/** What there is no room for is counted with the others of its kind. */
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

/** At most 1,250 are noted: counting them takes microseconds. */
const keptOf = (wanted: SecurityEvent['action']) =>
  [...noted.values()].filter(({ action, subject }) => action === wanted && subject.kind !== 'many').length;
