import 'server-only';
import { db } from '@/lib/db/client';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { DEMO_SALES } from './catalog';
import { seedAccounts } from './seed-accounts';
import { seedSale } from './seed-sale';

/** Writes the demo: public accounts, and a sale in each possible state. Runs at every start; idempotent. */
export async function seedDemo(): Promise<void> {
  await seedAccounts();
  const merchant = await db().user.findUniqueOrThrow({ where: { email: 'merchant@example.com' } });
  try {
    for (const sale of DEMO_SALES) await seedSale({ userId: merchant.id, role: 'merchant' }, sale);
  } finally {
    await releaseOrderNos();
  }
}
