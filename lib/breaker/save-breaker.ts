import 'server-only';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { BreakerState } from '@/lib/contract/words/breaker';
import { db } from '@/lib/db/client';
import { cutText } from '@/lib/human-text';

const PROCESS = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
const MAX_ERROR_LENGTH = 500;

/** Stores the state of a breaker of this process. A state that is not renewed for a minute is no longer shown. */
export async function saveBreaker(breaker: {
  service: string;
  state: BreakerState;
  since: Date;
  lastError: string | null;
}): Promise<void> {
  const { service, state, since, lastError } = breaker;
  await db().$executeRaw`
    INSERT INTO breakers (service, process, state, since, last_error)
    VALUES (${service}, ${PROCESS}, ${state}, ${since}, ${lastError === null ? null : cutText(lastError, MAX_ERROR_LENGTH)})
    ON CONFLICT (service, process) DO UPDATE
    SET state = excluded.state, since = excluded.since, last_error = excluded.last_error, seen_at = now()`;
}
