import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { moveUnits } from '@/lib/slice/move-units';
import { stocksAt } from '@/lib/slice/numbers/slices-of';
import { settleParcels } from '@/lib/slice/settle-parcels';
import { aside } from '../faults';
import type { Subject } from '../history';
import { PRESSING } from '../life';
import { expectFreeUnitsSell } from '../rest';
import { openWorld, saleOf } from '../world';

/** A sale whose stock is split over slices. */
export const slices: Subject = {
  name: 'a split sale',
  open: (random) =>
    openWorld({ total: random.int(2, 6), limit: random.int(1, 3), slices: random.int(2, 3), users: 6 }),
  steps: {
    ...PRESSING,
    'move units': [
      3,
      async (world, random) => {
        const { saleId } = saleOf(world);
        const stocks = await stocksAt(saleId);
        return moveUnits({ saleId, stocks }, random.int(0, stocks.length - 1), random.int(1, 3));
      },
    ],
    'settle parcels': [2, (world) => settleParcels(saleOf(world).saleId)],
    'lose a slice': [
      1,
      async (world, random) => {
        const stockId = random.pick(await stocksAt(saleOf(world).saleId));
        return aside(() => stockRedis().del(keys.sale(stockId), keys.buyers(stockId)));
      },
    ],
  },
  tend: (world) => settleParcels(saleOf(world).saleId),
  check: (world) => expectFreeUnitsSell(world, saleOf(world)),
};
