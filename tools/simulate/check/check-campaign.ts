import type { World } from '../world';
import type { Violate } from './violate';

/**
 * Checks a campaign at rest: nobody has more than its limit over all sales, Redis lets nobody have more in a sale than Postgres says, or
 * another number once sales are reconciled, and nobody has more in a sale than Redis allows.
 */
export function checkCampaign({ campaignWatch, postgres, saleIds, profile }: World, violate: Violate): void {
  const limit = postgres.campaigns.get(null, 'campaign')?.limitPerUser;
  if (!campaignWatch || limit === undefined || limit === null) return;
  for (const userId of postgres.users) {
    const live = postgres.orders
      .find(
        null,
        (row) => row.userId === userId && (row.status === 'paid' || row.status === 'pending_payment'),
      )
      .reduce((sum, { quantity }) => sum + quantity, 0);
    if (live > limit) violate(4, `${userId} has ${live} units of a campaign that allows ${limit}`);
    for (const saleId of saleIds) {
      const row = postgres.allowances.get(null, `${userId} ${saleId}`)?.units ?? 0;
      const allowed = campaignWatch.allowed(saleId, userId);
      const has = campaignWatch.live(saleId, userId);
      if (allowed > row)
        violate(4, `${userId} may have ${allowed} of ${saleId} in Redis, ${row} in Postgres`);
      if (profile.isReconciled && allowed < row)
        violate('rest', `${userId} may have ${allowed} of ${saleId} in Redis, ${row} in Postgres`);
      if (has > allowed) violate(4, `${userId} has ${has} of ${saleId} and may have ${allowed}`);
    }
  }
}
