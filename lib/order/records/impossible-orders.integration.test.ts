import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { closeRedis } from '@/lib/redis/client';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

it.each([
  ["status = 'paid'", 'orders_paid_check'],
  ["status = 'refunded'", 'orders_paid_check'],
  ["status = 'cancelled', end_reason = 'expired'", 'orders_cancelled_check'],
  ["status = 'cancelled', cancelled_at = now()", 'orders_reason_check'],
  [
    "status = 'cancelled', end_reason = 'expired', cancelled_at = now(), paid_at = now()",
    'orders_cancelled_check',
  ],
  ["status = 'failed'", 'orders_reason_check'],
  ["status = 'lost'", 'orders_status_check'],
  ['amount_minor = amount_minor + 1', 'orders_amount_check'],
  ['quantity = 0, amount_minor = 0', 'orders_quantity_check'],
  ['unit_price_minor = 0, amount_minor = 0', 'orders_unit_price_check'],
  ["currency = 'eur'", 'orders_currency_check'],
  ['version = 0', 'orders_version_check'],
])('[C6] the database takes no order with %s', async (impossible, check) => {
  const { orderNo } = await createOrderFixture();
  const { shard, id } = orderKey(orderNo);
  const write = db().$executeRawUnsafe(
    `UPDATE orders SET ${impossible} WHERE shard = ${shard} AND id = ${id}`,
  );
  await expect(write).rejects.toThrow(check);
});
