import 'server-only';
import { recordActions } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { type NotedEvent, returnEvents, takeEvents } from '@/lib/security/note-event';

const WRITE_EVERY_MS = 1_000;

let isFailing = false;

/**
 * Writes the security events that are due into the audit log. All go in one transaction, so it takes the log's lock
 * once however many there are. Events that can't be written are tried again with the next ones.
 * @param isLast true: writes all events, due or not, because the process ends
 */
export async function writeSecurityLog(isLast = false): Promise<void> {
  const events = takeEvents(Date.now(), isLast);
  if (events.length === 0) return;
  try {
    await transaction((tx) => recordActions(tx, events.map(toAction)));
    isFailing = false;
  } catch (err) {
    returnEvents(events);
    // Logs only the first failure of a row: there is one attempt a second.
    if (!isFailing) log.warn({ err, events: events.length }, 'security events could not be written yet');
    isFailing = true;
  }
}

/** Writes once a second for as long as the process lives; never two writes at a time. */
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
