import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/**
 * The files that take about 15 s or longer, the longest first: none is left over when the others are done. A few that only wait
 * come later, so that not all wait at the same time.
 */
export const LONGEST = [
  'tools/chaos/chaos.system.test.ts',
  'deploy/upgrade.system.test.mjs',
  'scripts/start.system.test.mjs',
  'inngest/functions/every-fault.long.integration.test.ts',
  'deploy/docker/build-app.system.test.mjs',
  'tools/attack/attack.system.test.ts',
  'lib/purchase/fallback-losses.long.integration.test.ts',
  'test/histories/histories.long.integration.test.ts',
  'scripts/full-disk.system.test.mjs',
  'scripts/backup/backup.long.integration.test.ts',
  'lib/outbox/relay-orders.integration.test.ts',
  'inngest/functions/redis-cluster.timed.integration.test.ts',
  'scripts/commands.long.integration.test.ts',
  'lib/api/visit/crowd-in-faults.timed.integration.test.ts',
  'lib/payment/send-parts.integration.test.ts',
  'lib/server/slow-clients.timed.integration.test.ts',
  'app/api/admin/side-features.timed.integration.test.ts',
  'app/api/admin/roles.integration.test.ts',
  'lib/sale/follow-sales.integration.test.ts',
  'lib/verify/claims.long.integration.test.ts',
  'lib/db/read-stale.integration.test.ts',
  'lib/payment/providers/companies.integration.test.ts',
  'app/api/auth/openid.integration.test.ts',
  'app/api/every-creation.integration.test.ts',
  'lib/live/live-without-redis.long.integration.test.ts',
  'lib/rehearsal/rehearsal.long.integration.test.ts',
  'lib/server/readiness.long.integration.test.ts',
  'scripts/roles.system.test.mjs',
  'lib/reconcile/reconcile-sale.integration.test.ts',
  'lib/purchase/fallback-flips.long.integration.test.ts',
  'lib/servers/servers.timed.integration.test.ts',
  'lib/loading/rebuild-histories.long.integration.test.ts',
  'lib/redis/client.long.integration.test.ts',
  'inngest/functions/chain.timed.integration.test.ts',
  'app/api/payments/companies.integration.test.ts',
  'lib/sale/admin/move-start.integration.test.ts',
  'lib/purchase/strategies.integration.test.ts',
  'lib/server/cluster.timed.integration.test.ts',
  'lib/verify/verify-sale.integration.test.ts',
  'inngest/functions/server-faults.long.integration.test.ts',
  'lib/api/visit/line-in-faults.timed.integration.test.ts',
  'lib/server/start-next.long.integration.test.ts',
  'lib/server/fuzz.timed.integration.test.ts',
  'lib/campaign/campaign-on-cluster.long.integration.test.ts',
  'lib/campaign/campaign-limit.integration.test.ts',
  'lib/campaign/campaign-limit.model.long.integration.test.ts',
  'lib/server/side-features.timed.integration.test.ts',
  'scripts/backup/commands.long.integration.test.ts',
  'tools/lab/contest.long.integration.test.ts',
  'scripts/infra/usages.long.test.mjs',
  'lib/entry/challenge.integration.test.ts',
  'scripts/infra/check-redis.long.integration.test.mjs',
  'inngest/functions/redis-sentinel.timed.integration.test.ts',
  'lib/alert/admin/rules.integration.test.ts',
  'lib/verify/verify-log.long.integration.test.ts',
  'lib/access/sign-in.timed.integration.test.ts',
  'lib/redis/two-shards.timed.integration.test.ts',
];

/** Begins each group of test files with those that take longest. */
export class LongestFirst extends BaseSequencer {
  /** @override @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files);
    const { root } = this.ctx.config;
    const rank = ({ moduleId }) => {
      const at = LONGEST.indexOf(relative(root, moduleId));
      return at === -1 ? LONGEST.length : at;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
