/**
 * Tests that replace what a process keeps: each has a process of its own. The others share a few. A test of the layout
 * checks both lists.
 */
export const REPLACING = [
  'components/api/early-answers.test.ts',
  'components/api/event-stream.test.ts',
  'components/attempt/attempt-store.test.ts',
  'components/challenge/derive-key.test.ts',
  'components/clock/on-return.test.ts',
  'inngest/functions/release-unpaid.test.ts',
  'inngest/send-event.test.ts',
  'lib/access/turn-cookie.test.ts',
  'lib/account/rotate-session-secret.test.ts',
  'lib/device/identify-device.test.ts',
  'lib/device/known-accounts.test.ts',
  'lib/entry/entry-token.test.ts',
  'lib/errors/is-outage.test.ts',
  'lib/internal-authorization.test.ts',
  'lib/process-wide.test.ts',
  'lib/server/events-feed.test.ts',
  'lib/server/page-cache.test.ts',
  'lib/server/pass-to-next.test.ts',
];

/**
 * Variables and our own modules are new for each of these anyway. The engine of migrations remembers its connection in a
 * package.
 */
export const REPLACING_WITH_SERVERS = [
  'app/api/admin/exports.integration.test.ts',
  'lib/purchase/backlog.integration.test.ts',
  'lib/loading/watch-accepted.timed.integration.test.ts',
  'lib/db/read-stale.integration.test.ts',
  'lib/server/list-pages.integration.test.ts',
  'scripts/migrate/interrupted-migration.integration.test.ts',
  'scripts/migrate/killed-migrations.timed.integration.test.ts',
  'scripts/migrate/locks.timed.integration.test.ts',
  'scripts/migrate/log-start.integration.test.ts',
  'scripts/migrate/partitions.integration.test.ts',
  'scripts/migrate/schema-drift.integration.test.ts',
];
