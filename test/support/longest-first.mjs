import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** The files that take longest, so that none of them is left over when the others are done. */
export const LONGEST = [
  'scripts/commands.integration.test.ts',
  'scripts/backup/backup.integration.test.ts',
  'scripts/backup/commands.integration.test.ts',
  'lib/checkout/sales/follow-sales.integration.test.ts',
  'lib/admin/rehearsal/rehearsal.integration.test.ts',
  'lib/checkout/stock-model/stock.model.integration.test.ts',
  'lib/checkout/recovery/rebuild-histories.integration.test.ts',
  'lib/api/visit/crowd-in-faults.integration.test.ts',
  'lib/server/slow-clients.integration.test.ts',
  'app/api/admin/side-features.integration.test.ts',
  'tools/simulate/simulate.test.ts',
  'tools/simulate/run-jobs.test.ts',
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
