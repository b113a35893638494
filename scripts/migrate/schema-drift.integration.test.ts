import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createDatabase, type TestDatabase } from '@/test/support/create-database';
import { applyMigrations } from './apply-migrations';
import { type Catalog, compareCatalogs, readCatalog } from './testing/catalog';
import { diffSql } from './testing/diff-sql';

// The migrations add these, and Prisma's schema language can't express them. Any other difference is drift, and so is
// one of these that is missing.
const CHECKS: Record<string, string> = {
  alert_evaluation: 'id',
  alerts: 'acknowledged state times',
  approvals: 'decided kind second_person status',
  audit_head: 'is_only',
  blocks: 'kind lifted value',
  breakers: 'state',
  campaign_allowances: 'units',
  campaigns: 'description limit_per_user slug status title version',
  dead_letters: 'attempts',
  decision_heads: 'size',
  decision_leaves: 'index',
  decision_log_start: 'is_only',
  decision_logs: 'size',
  decision_tiles: 'hashes index level',
  deliveries: 'gene step times tracking tracking_url',
  email_changes: 'applied',
  identities: 'subject',
  invitations: 'email role shop shop_role topics used',
  level_rules: 'level min_points',
  line_entries: 'drawn nonce number passed_over place weight variant',
  lines: 'admitted beacon credit enlisted machine_rate per_minute pseudonym_key seed shuffled',
  media: 'hash',
  membership_rules: 'days level',
  memberships: 'days level',
  mollie_payments: 'attempt',
  order_events: 'actor',
  orders: 'amount cancelled currency gene paid quantity reason refund status unit_price variant version',
  outgoing_messages: 'attempts',
  passkeys: 'counter credential_id name',
  payment_events: 'outcome',
  payments: 'amount currency gene id parts queries refunded settled status taken version',
  points_entries: 'kind',
  product_pictures: 'alt position',
  products: 'delivery slug status tax_rate version weight_grams',
  reconciliations: 'cause differences repaired',
  rehearsals: 'ended progress report shoppers state',
  refund_parts: 'amount attempt nth',
  refusals: 'place risk times',
  reservations: 'cancelled',
  risk_hits: 'kind released value',
  risk_rules: 'state',
  sale_parcels: 'ends units',
  sale_slices: 'slice total',
  sale_variants: 'committed_stock name number',
  sandbox_payments: 'outcome',
  sales:
    'admission challenge challenge_alternative click_lock_sec committed_stock currency draw draw_weights epoch given held_stock limit limits list_price min_account_age_sec min_level on_stock_outage payment_window places_per_network price repeat reservation slices slug sold_stock split status stock_margin stock_mode strategy total_stock version window',
  sessions: 'browser ended',
  shop_members: 'role topics',
  shops: 'name version',
  side_features: 'feature mode',
  stock_grants: 'accepted',
  stripe_sessions: 'attempt',
  sync_failures: 'attempts kind',
  totp_factors: 'last_step',
  waitlist_entries: 'number variant',
  users: 'deleted email level locale name role muted_mails',
};
const EXTRAS = [
  ...Object.entries(CHECKS).flatMap(([table, names]) =>
    names.split(' ').map((name) => `check ${table}_${name}_check`),
  ),
  ...['orders', 'order_events', 'payments'].flatMap((table) =>
    Array.from({ length: 16 }, (_, part) => `partition ${table}_p${part}`),
  ),
  'partition processed_messages_rest',
  'index alerts_one_open_idx',
  'index approvals_pending_key',
  'index blocks_one_live_idx',
  'index dead_letters_open_idx',
  'index decision_logs_unsigned_idx',
  'index deliveries_forget_idx',
  'index email_changes_held_idx',
  'index email_changes_one_open_idx',
  'index line_entries_device_key',
  'index line_entries_entered_idx',
  'index line_entries_left_idx',
  'index line_entries_live_key',
  'index line_entries_network_idx',
  'index line_entries_place_key',
  'index line_entries_turn_left_key',
  'index invitations_one_open_idx',
  'index notifications_unread_idx',
  'index orders_cancelled_at_idx',
  'index orders_jti_key',
  'index orders_only_one_key',
  'index orders_overdue_idx',
  'index orders_unsettled_idx',
  'index outgoing_messages_due_idx',
  'index payment_events_misfit_idx',
  'index payments_refund_due_idx',
  'index payments_to_query_idx',
  'index refund_parts_due_idx',
  'index rehearsals_one_open_idx',
  'index reservations_untold_idx',
  'index risk_hits_measures_idx',
  'index sales_with_fallback_idx',
  'index sessions_ended_at_idx',
  'index sessions_live_idx',
  'index users_email_prefix_idx',
  'index users_one_verified_per_inbox_idx',
  'index waitlist_entries_open_idx',
  'index waitlist_entries_wished_idx',
  'trigger audit_entries_append_only',
  'trigger audit_head_stays',
  'trigger campaigns_open_shop',
  'trigger decision_heads_append_only',
  'trigger decision_leaves_append_only',
  'trigger line_entries_log_changes',
  'trigger line_entries_log_entered',
  'trigger lines_log_committed',
  'trigger lines_log_placed',
  'trigger log_keys_append_only',
  'trigger order_events_append_only',
  'trigger order_events_log',
  'trigger orders_keep_number',
  'trigger orders_keep_payments',
  'trigger orders_log_accepted',
  'trigger payments_keep_order',
  'trigger payments_need_orders',
  'trigger products_open_shop',
  'trigger refusals_log',
  'trigger users_keep_left_addresses',
  'trigger users_open_shop',
  'trigger waitlist_entries_log_changes',
  'trigger waitlist_entries_log_enlisted',
];
/** The schema describes it as usual, but it is NOT ENFORCED: the triggers above check it, a batch at a time. */
const ALTERED = ['foreign key payments_shard_order_id_fkey'];

let scratch: TestDatabase;
let fromSchema: Catalog;
const migratedUrl = process.env.DATABASE_URL ?? '';

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  scratch = await createDatabase(inject('databaseUrl'), `drift_${process.pid}`);
  await execute(scratch.url, await diffSql(scratch.url));
  fromSchema = await readCatalog(scratch.url);
});
afterAll(() => scratch.drop());

it('[L1] the migrations make exactly what schema.prisma describes, plus the listed extras', async () => {
  const difference = compareCatalogs(fromSchema, await readCatalog(migratedUrl));
  expect(difference).toEqual({ missing: [], extra: [...EXTRAS].sort(), different: ALTERED });
});

it('[L1] a changed type, a lost default, a lost index and an unknown column are drift', async () => {
  const before = await readCatalog(migratedUrl);
  await execute(
    migratedUrl,
    `ALTER TABLE products ALTER COLUMN name TYPE varchar(10);
     ALTER TABLE products ALTER COLUMN version DROP DEFAULT;
     DROP INDEX products_slug_key;
     ALTER TABLE products ADD COLUMN surplus integer;`,
  );
  expect(compareCatalogs(before, await readCatalog(migratedUrl))).toEqual({
    missing: ['index products_slug_key'],
    extra: ['column products.surplus'],
    different: ['column products.name', 'column products.version'],
  });
});

it('[L1] migrating a migrated database changes nothing', async () => {
  expect(await applyMigrations(migratedUrl)).toEqual([]);
});

it('[K5] an index is built concurrently while other processes wait to migrate', async () => {
  const empty = await createDatabase(inject('databaseUrl'), `concurrent_${process.pid}`);
  const dir = mkdtempSync(join(tmpdir(), 'seckill-concurrently-'));
  const scripts = {
    '0001_table': 'CREATE TABLE things (id int);',
    '0002_index':
      'DROP INDEX CONCURRENTLY IF EXISTS things_idx; CREATE INDEX CONCURRENTLY things_idx ON things (id);',
  };
  try {
    writeFileSync(join(dir, 'migration_lock.toml'), 'provider = "postgresql"\n');
    for (const [name, sql] of Object.entries(scripts)) {
      mkdirSync(join(dir, name));
      writeFileSync(join(dir, name, 'migration.sql'), sql);
    }
    const applied = await Promise.all(Array.from({ length: 5 }, () => applyMigrations(empty.url, dir)));
    expect(applied.filter((list) => list.length > 0)).toEqual([Object.keys(scripts)]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
    await empty.drop();
  }
});

it('[K5] many processes migrating one empty database apply each migration once', async () => {
  const empty = await createDatabase(inject('databaseUrl'), `race_${process.pid}`);
  try {
    const applied = await Promise.all(Array.from({ length: 5 }, () => applyMigrations(empty.url)));
    const names = applied.flat();
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
    expect(applied.filter((list) => list.length > 0)).toHaveLength(1);
  } finally {
    await empty.drop();
  }
});
