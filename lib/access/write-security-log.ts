import 'server-only';
import { recordActions } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { type NotedEvent, returnEvents, takeEvents } from '@/lib/security/note-event';

const WRITE_EVERY_MS = 1_000;

let isFailing = false;

/**
 * Writes the security events that are due into the audit log: all of them in one transaction, so that its lock is taken once
 * however many came. What can't be written is tried again with the next.
 * @param isLast all that were noted, due or not: the process ends
 */
export async function writeSecurityLog(isLast = false): Promise<void> {
  const events = takeEvents(Date.now(), isLast);
  if (events.length === 0) return;
  try {
    await transaction((tx) => recordActions(tx, events.map(toAction)));
    isFailing = false;
  } catch (err) {
    returnEvents(events);
    // Not at every attempt: there is one a second.
    if (!isFailing) log.warn({ err, events: events.length }, 'security events could not be written yet');
    isFailing = true;
  }
}

/** Writes once a second for as long as the process lives; one writing at a time. */
export function keepWritingSecurityLog(): void {
  let isWriting = false;
  const write = async () => {
    if (isWriting) return;
    isWriting = true;
    await writeSecurityLog().finally(() => {
      isWriting = false;
    });
  };
  setInterval(() => void write(), WRITE_EVERY_MS).unref();
}

const toAction = ({ action, actor, subject, facts, count, since, until }: NotedEvent) => ({
  action,
  actor,
  subject,
  before: null,
  after: { ...facts, count, ...(count > 1 ? { since, until } : {}) },
});
