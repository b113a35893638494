import { restockSale } from '@/lib/sale/admin/restock-sale';
import type { Subject } from '../history';
import { pressing } from '../life';
import { expectFreeUnitsSell } from '../rest';
import { openWorld, saleOf } from '../world';

const VARIANTS = [1, 2, 3];

/** A sale of three variants, some of which may have no units. */
export const variants: Subject = {
  name: 'a sale with variants',
  open: (random) =>
    openWorld({ variants: VARIANTS.map(() => random.int(0, 2)), limit: random.int(1, 3), users: 6 }),
  steps: {
    ...pressing(VARIANTS),
    restock: [
      1,
      async (world, random) => {
        const { saleId, merchant } = saleOf(world);
        const variant = random.pick(VARIANTS);
        return (await restockSale(merchant, saleId, random.pick([-1, 1]), { variant })).status;
      },
    ],
  },
  async check(world) {
    for (const variant of VARIANTS) await expectFreeUnitsSell(world, saleOf(world), variant);
  },
};
