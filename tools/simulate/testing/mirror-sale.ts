import type { SaleFixture } from '@/lib/checkout/testing/sale-fixture';
import type { DrawWeights, LateMoney, SaleAdmission } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import type { PostgresStore } from '../stores/postgres';

/** For tests: gives a simulated Postgres a sale and its users as the real one has them. */
export async function mirrorSale(store: PostgresStore, { saleId, userIds }: SaleFixture): Promise<void> {
  for (const userId of userIds) store.users.add(userId);
  const row = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  store.sales.cell(saleId).committed = {
    ...row,
    status: 'published',
    strategy: 'script',
    admission: row.admission as SaleAdmission,
    drawWeights: row.drawWeights as DrawWeights,
    lateMoney: row.lateMoney as LateMoney,
    onStockOutage: 'closed',
    stockMode: 'redis',
    limits: null,
    reservationOpensAt: null,
  };
}
