/** Unit tests that replace modules, variables or globals: each has a process of its own. The others share a few. */
export const REPLACING = [
  'components/api/early-answers.test.ts',
  'inngest/functions/release-unpaid.test.ts',
  'inngest/send-event.test.ts',
  'lib/access/turn-cookie.test.ts',
  'lib/device/identify-device.test.ts',
  'lib/device/known-accounts.test.ts',
  'lib/entry/entry-token.test.ts',
  'lib/errors/is-outage.test.ts',
  'lib/process-wide.test.ts',
  'lib/server/events-feed.test.ts',
  'lib/server/page-cache.test.ts',
  'lib/server/pass-to-next.test.ts',
];
