import { restockSale } from '@/lib/sale/admin/restock-sale';
import type { Subject } from '../history';
import { repeatPress } from '../life';
import { expectFreeUnitsSell } from '../rest';
import { openWorld, press, saleOf, tokenFor } from '../world';

const VARIANTS = [1, 2, 3];

/** A sale of three variants, some of which may have no units. */
export const variants: Subject = {
  name: 'a sale with variants',
  open: (random) =>
    openWorld({ variants: VARIANTS.map(() => random.int(0, 2)), limit: random.int(1, 3), users: 6 }),
  steps: {
    press: [
      16,
      async (world, random) => {
        const sale = saleOf(world);
        const token = tokenFor(random.pick(world.userIds), sale);
        return press(world, sale, token, random.int(1, 2), random.pick(VARIANTS));
      },
    ],
    'press again': [3, repeatPress],
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
