import 'server-only';
import type { CopyKind } from '@/lib/contract/words/queue';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { cutText } from '@/lib/human-text';

/** When thousands of copies fail, not each gets a row: the first ones show what is wrong. */
const MAX_POSTED = 100;
const MAX_ERROR_CHARS = 300;

/** A change that has not reached a copy of the data yet. Times in epoch ms. */
export type BoardFailure = {
  kind: CopyKind;
  /** The copy that is out of date; it appears once, however often it is tried. */
  name: string;
  /** Id or slug of the sale it belongs to. */
  subject: string;
  since: number;
  attempts: number;
  /** Null: there will be no further try. */
  nextTryAt: number | null;
  error: string;
  /** When the old copy will have expired by itself, or the failure no longer matters. */
  until: number;
};

/** Writes go one after the other: a failure that is over must not be posted after it was removed. */
let last: Promise<void> = Promise.resolve();

/** Shows failures to all admin pages, at most 100 of them. If Postgres is gone too, only the log has them. */
export function postFailures(failures: readonly BoardFailure[]): Promise<void> {
  const rows = failures.slice(0, MAX_POSTED);
  if (rows.length === 0) return last;
  return enqueue(async () => {
    await db().$executeRaw`DELETE FROM sync_failures WHERE expires_at < now()`;
    await db().$executeRaw`
      INSERT INTO sync_failures (kind, name, subject, since, attempts, next_try_at, error, expires_at)
      SELECT kind, name, subject, to_timestamp(since / 1000.0), attempts, to_timestamp(next_try_at / 1000.0), error,
             to_timestamp(until / 1000.0)
      FROM unnest(${rows.map(({ kind }) => kind)}::text[],
                  ${rows.map(({ name }) => name)}::text[],
                  ${rows.map(({ subject }) => subject)}::text[],
                  ${rows.map(({ since }) => since)}::double precision[],
                  ${rows.map(({ attempts }) => attempts)}::int[],
                  ${rows.map(({ nextTryAt }) => nextTryAt)}::double precision[],
                  ${rows.map(({ error }) => cutText(error.replaceAll('\0', ''), MAX_ERROR_CHARS))}::text[],
                  ${rows.map(({ until }) => until)}::double precision[])
             AS f (kind, name, subject, since, attempts, next_try_at, error, until)
      ON CONFLICT (kind, name) DO UPDATE
      SET subject = excluded.subject, since = least(sync_failures.since, excluded.since), attempts = excluded.attempts,
          next_try_at = excluded.next_try_at, error = excluded.error, expires_at = excluded.expires_at`;
  });
}

/** Removes failures whose change has been made, or that are over. */
export function clearFailures(kind: CopyKind, names: readonly string[]): Promise<void> {
  if (names.length === 0) return last;
  return enqueue(async () => {
    await db().syncFailure.deleteMany({ where: { kind, name: { in: [...names] } } });
  });
}

function enqueue(write: () => Promise<void>): Promise<void> {
  last = last.then(write).catch((err: unknown) => {
    log.warn({ err }, 'failures to synchronise could not be shown');
  });
  return last;
}
