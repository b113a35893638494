import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createDatabase, type TestDatabase } from '@/test/support/create-database';
import { findLastRelease, namesInRelease } from '@/test/support/last-release.mjs';
import { applyMigrations } from './apply-migrations';
import { MIGRATIONS_DIR } from './read-migrations';
import { watchLocks } from './testing/lock-watch';

/**
 * How many orders there are. The promise is for a million, which take a minute to make; `UPGRADE_ORDERS=1000000` does. A
 * script whose locks grow with the table fails with fewer as well: `find-hazards.test.ts` reads it.
 */
const ORDERS = Number(process.env.UPGRADE_ORDERS ?? 20_000);
const LONGEST_MS = 1_000;
const { commit, problem } = findLastRelease(resolve(import.meta.dirname, '../..'));

/** Orders as a busy shop has them, one a second, with what belongs to each. Without triggers: they check what is so. */
const FILL = `
  SET session_replication_role = replica;
  INSERT INTO users (id, email, name, password_hash) VALUES ('seller', 'seller@example.com', 'Seller', '!');
  INSERT INTO users (id, email, name, password_hash)
    SELECT 'user_' || n, n || '@example.com', 'Kim', '!' FROM generate_series(1, ${ORDERS}) AS n;
  INSERT INTO products (id, merchant_id, slug, name, description, image_url)
    VALUES ('prod', 'seller', 'lamp', 'Lamp', 'A lamp', '/products/lamp.svg');
  INSERT INTO sales (id, product_id, merchant_id, slug, title, price_minor, currency, total_stock, limit_per_user,
                     starts_at, ends_at, entry_opens_at, payment_window_sec, status, epoch, gate, published_at)
    VALUES ('sale', 'prod', 'seller', 'lamp', 'Lamp', 1999, 'EUR', 10000000, 1, now(), now() + interval '1 day',
            now(), 900, 'published', 1, 'gate', now());
  CREATE TEMP TABLE n AS SELECT n, ((n * 1000)::BIGINT << 22) | (n & 1023) AS id FROM generate_series(1, ${ORDERS}) AS n;
  INSERT INTO orders (shard, id, sale_id, user_id, quantity, unit_price_minor, amount_minor, currency, status,
                      is_only_one, jti, epoch, accepted_at, pay_by)
    SELECT id & 1023, id, 'sale', 'user_' || n, 1, 1999, 1999, 'EUR', 'pending_payment', true, 'jti_' || n, 1, now(),
           now() + interval '1 day' FROM n;
  INSERT INTO payments (id, shard, order_id, provider, amount_minor, currency)
    SELECT 'pay_' || id, id & 1023, id, 'sandbox', 1999, 'EUR' FROM n;
  INSERT INTO order_events (shard, order_id, actor_kind, from_status, to_status, cause)
    SELECT id & 1023, id, 'system', 'queued', 'pending_payment', 'created' FROM n;
  INSERT INTO processed_messages (consumer, message_id) SELECT 'create-orders', id::TEXT FROM n;`;

describe.skipIf(problem)(`migrations of a shop with ${ORDERS} orders`, () => {
  const known = problem
    ? []
    : namesInRelease(resolve(import.meta.dirname, '../..'), commit, 'prisma/migrations');
  const dir = mkdtempSync(join(tmpdir(), 'seckill-locks-'));
  let shop: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    shop = await createDatabase(inject('databaseUrl'), `locks_${process.pid}`);
    await applyMigrations(shop.url, MIGRATIONS_DIR, (name) => known.includes(name));
    client = new pg.Client({ connectionString: shop.url });
    await client.connect();
    await client.query(FILL);
    await client.query('VACUUM ANALYZE');
  }, 600_000);
  afterAll(async () => {
    await client?.end();
    await shop?.drop();
    rmSync(dir, { recursive: true, force: true });
  });

  const watched = async (work: () => Promise<string[]>) => {
    const stop = await watchLocks(shop.url);
    try {
      return { applied: await work(), locks: await stop() };
    } finally {
      await stop();
    }
  };
  /** Applies migrations that nobody ships, in a database that has the others. */
  const apply = (scripts: Record<string, string>) => {
    writeFileSync(join(dir, 'migration_lock.toml'), 'provider = "postgresql"\n');
    for (const [name, sql] of Object.entries(scripts)) {
      mkdirSync(join(dir, name));
      writeFileSync(join(dir, name, 'migration.sql'), sql);
    }
    return applyMigrations(shop.url, dir);
  };

  it('[K7] the migrations since the last release lock no table for more than a second', async () => {
    const { applied, locks } = await watched(() => applyMigrations(shop.url));
    console.info(`[K7] ${ORDERS} orders, ${applied.length} migrations; longest locks:`, locks.slice(0, 3));
    expect(locks.filter(({ ms }) => ms > LONGEST_MS)).toEqual([]);
  });

  it('[K7] an index is built while orders are paid; the watch sees what would have kept them', async () => {
    const good = await watched(() =>
      apply({
        '9998_index': `DROP INDEX CONCURRENTLY IF EXISTS one_idx;
                       CREATE INDEX CONCURRENTLY one_idx ON payments_p0 (provider, order_id);`,
      }),
    );
    expect(good).toEqual({ applied: ['9998_index'], locks: [] });
    const { rows } = await client.query(
      "SELECT indisvalid FROM pg_index WHERE indexrelid = 'one_idx'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true }]);
    const bad = await watched(() =>
      apply({ '9999_type': 'ALTER TABLE payments ALTER COLUMN amount_minor TYPE BIGINT;' }),
    );
    expect(bad.applied).toEqual(['9999_type']);
    expect(bad.locks).toContainEqual({
      table: 'payments',
      mode: 'AccessExclusiveLock',
      ms: expect.any(Number),
    });
  });
});
