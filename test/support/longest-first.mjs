import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** The files that take longest, so that none of them is left over when the others are done. */
export const LONGEST = [
  'lib/purchase/decide-with-fallback.integration.test.ts',
  'lib/live/live-without-redis.long.integration.test.ts',
  'scripts/commands.long.integration.test.ts',
  'scripts/backup/backup.long.integration.test.ts',
  'scripts/backup/commands.long.integration.test.ts',
  'lib/sale/follow-sales.integration.test.ts',
  'lib/rehearsal/rehearsal.integration.test.ts',
  'lib/verify/claims.integration.test.ts',
  'lib/outbox/relay-orders.integration.test.ts',
  'inngest/functions/server-faults.integration.test.ts',
  'lib/stock/stock.model.integration.test.ts',
  'lib/loading/rebuild-histories.long.integration.test.ts',
  'lib/api/visit/crowd-in-faults.timed.integration.test.ts',
  'lib/server/slow-clients.timed.integration.test.ts',
  'app/api/admin/side-features.timed.integration.test.ts',
  'test/histories/histories.long.integration.test.ts',
  'scripts/infra/usages.test.mjs',
];

/** Begins each group of test files with those that take longest. */
export class LongestFirst extends BaseSequencer {
  /** @override @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files);
    const { root } = this.ctx.config;
    const isLong = ({ moduleId }) => LONGEST.includes(relative(root, moduleId));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
