import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { createDatabase } from '@/test/support/create-database';
import { eventually } from '@/test/support/eventually';
import { applyMigrations } from './apply-migrations';

const SHOP = `
  INSERT INTO users (id, email, name, password_hash) VALUES ('u', 'u@example.com', 'U', '!');
  INSERT INTO products (id, merchant_id, slug, name, description) VALUES ('p', 'u', 'p', 'P', '');
  INSERT INTO sales (id, product_id, merchant_id, slug, title, price_minor, currency, total_stock, limit_per_user,
                     starts_at, ends_at, entry_opens_at, payment_window_sec, gate)
  VALUES ('s', 'p', 'u', 's', 'S', 100, 'EUR', -1, 1000, now(), now() + interval '1 hour', now(), 900, 'g')`;
const ORDER = `
  INSERT INTO orders (shard, id, sale_id, user_id, quantity, unit_price_minor, amount_minor, currency, status, is_only_one,
                      jti, epoch, accepted_at, pay_by, created_at)
  VALUES (1, 1025, 's', 'u', 1, 100, 100, 'EUR', 'pending_payment', false, 'jti', 1, now(), now(), clock_timestamp())`;

it('[J5 K7] an order that was written while the logs were being made is from before them', async () => {
  const shop = await createDatabase(inject('databaseUrl'), `log_start_${process.pid}`);
  const [seller, watcher] = [0, 1].map(() => new pg.Client({ connectionString: shop.url })) as [
    pg.Client,
    pg.Client,
  ];
  try {
    await Promise.all([seller.connect(), watcher.connect()]);
    await applyMigrations(shop.url, undefined, (name) => name < '0044');
    await watcher.query(SHOP);
    await seller.query('BEGIN; LOCK TABLE orders IN ROW EXCLUSIVE MODE');
    const migrating = applyMigrations(shop.url);
    await eventually(async () => {
      const { rows } = await watcher.query(
        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'orders'::regclass",
      );
      expect(rows).toHaveLength(1);
    });
    await seller.query(`${ORDER}; COMMIT`);
    await migrating;
    const { rows } = await watcher.query(
      `SELECT (SELECT count(*)::int FROM decision_batches) AS logged, created_at < at AS "isFromBefore"
       FROM orders, decision_log_start`,
    );
    expect(rows).toEqual([{ logged: 0, isFromBefore: true }]);
  } finally {
    await Promise.all([seller.end(), watcher.end()]);
    await shop.drop();
  }
});
