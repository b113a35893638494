import { issueEntry } from '@/lib/admission/issue-entry';
import { db } from '@/lib/db/client';
import { makeCampaign } from '@/test/support/make-campaign';
import { usersOf } from '@/test/support/reservable';
import type { Subject } from '../history';
import { repeatPress } from '../life';
import { expectWithin } from '../rest';
import { press, worldOf } from '../world';

/** Three sales of a campaign that limits what a person may have in all of them. */
export const campaign: Subject = {
  name: 'sales of a campaign',
  async open(random) {
    const limits = { totalStock: random.int(2, 4), limitPerUser: random.int(1, 3) };
    const { sales } = await makeCampaign(random.int(2, 4), [limits, limits, limits]);
    return worldOf(
      sales.map(({ saleId }) => saleId),
      await usersOf(3),
    );
  },
  steps: {
    'enter and press': [
      18,
      async (world, random) => {
        const sale = random.pick(world.sales);
        const entry = await issueEntry(sale.saleId, { userId: random.pick(world.userIds), level: 0 });
        return entry.status === 'entered'
          ? press(world, sale, entry.entryToken, random.int(1, 2))
          : entry.status;
      },
    ],
    'press again': [3, repeatPress],
  },
  async check({ sales }) {
    const ids = sales.map(({ saleId }) => saleId);
    const { campaign: its } = await db().sale.findFirstOrThrow({
      where: { id: { in: ids } },
      include: { campaign: true },
    });
    await expectWithin(its?.limitPerUser ?? 0, ids);
  },
};
