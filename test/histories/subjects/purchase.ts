import type { Subject } from '../history';
import { PRESSING } from '../life';
import { expectFreeUnitsSell } from '../rest';
import { openWorld, saleOf } from '../world';

/** A sale that admits first come, first served, decided by the script or under the lock. */
export const purchase: Subject = {
  name: 'a sale',
  open: (random) =>
    openWorld({
      total: random.int(1, 4),
      limit: random.int(1, 3),
      strategy: random.pick(['script', 'lock'] as const),
    }),
  steps: PRESSING,
  check: (world) => expectFreeUnitsSell(world, saleOf(world)),
};
