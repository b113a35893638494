import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLastRelease, namesInRelease } from '@/test/support/last-release.mjs';
import { concurrentStatements } from './concurrent-statements';
import { MIGRATIONS_DIR, readMigrations } from './read-migrations';
import { splitSql } from './split-sql';
import { findHazards } from './testing/find-hazards';

const root = resolve(import.meta.dirname, '../..');
const whyOf = (sql: string) => findHazards(sql).map(({ why }) => why);

describe('a migration in mid-sale', () => {
  it.each([
    ['DROP TABLE notices', 'one release later'],
    ['ALTER TABLE orders DROP COLUMN epoch', 'one release later'],
    ['ALTER TABLE orders DROP epoch', 'one release later'],
    ['ALTER TABLE sales ADD COLUMN a INT, DROP COLUMN IF EXISTS gate', 'one release later'],
    ['DROP FUNCTION due_orders(TEXT, INTEGER)', 'one release later'],
    ['ALTER TABLE orders RENAME COLUMN jti TO token', 'by its old name'],
    ['ALTER TABLE "sales" RENAME TO "offers"', 'by its old name'],
    ['ALTER TABLE orders ALTER COLUMN quantity TYPE BIGINT', 'rewrites'],
    ['ALTER TABLE sales ALTER gate SET DATA TYPE INT', 'rewrites'],
    ['ALTER TABLE sales ADD COLUMN slices INT NOT NULL', 'DEFAULT'],
    ['ALTER TABLE orders ADD note TEXT, ADD COLUMN level INT NOT NULL', 'DEFAULT'],
    ['ALTER TABLE orders ADD COLUMN key UUID DEFAULT gen_random_uuid()', 'rewrites'],
    ['ALTER TABLE orders ADD COLUMN n BIGSERIAL', 'rewrites'],
    ['ALTER TABLE orders ADD COLUMN twice INT GENERATED ALWAYS AS (quantity * 2) STORED', 'rewrites'],
    ['ALTER TABLE users ALTER COLUMN locale SET NOT NULL', 'NOT VALID'],
    ['ALTER TABLE orders ADD CONSTRAINT one CHECK (quantity < 9)', 'NOT VALID'],
    ['ALTER TABLE orders ADD COLUMN one INT DEFAULT 1 CHECK (one > 0)', 'NOT VALID'],
    ['ALTER TABLE payments ADD FOREIGN KEY (a) REFERENCES users (id)', 'NOT VALID'],
    ['ALTER TABLE payments ADD COLUMN payer TEXT REFERENCES users (id)', 'NOT VALID'],
    ['ALTER TABLE payments ADD CONSTRAINT one UNIQUE (order_id)', 'CONCURRENTLY'],
    ['CREATE INDEX orders_one_idx ON orders (sale_id)', 'CONCURRENTLY'],
    ['CREATE UNIQUE INDEX one_idx ON public.payments (order_id)', 'CONCURRENTLY'],
    ['ALTER TABLE orders ATTACH PARTITION o17 DEFAULT', 'reads the whole table'],
    ['LOCK TABLE orders', 'nobody else'],
    ['TRUNCATE refusals', 'rewrites'],
    ['UPDATE orders SET version = 1', 'small batches'],
    ["INSERT INTO points_entries SELECT * FROM orders WHERE status = 'paid'", 'small batches'],
    ["DO $$ BEGIN EXECUTE format('DROP TABLE %I', 'orders'); END $$", 'put together when it runs'],
    ['DO $$ BEGIN IF true THEN UPDATE users SET level = 0; END IF; END $$', 'small batches'],
    [
      `ALTER TABLE orders ADD CONSTRAINT one CHECK (quantity < 9) NOT VALID;
       ALTER TABLE orders VALIDATE CONSTRAINT one`,
      'in the next migration',
    ],
  ])('[K7] must not do: %s', (sql, why) => {
    expect(whyOf(`${sql};`)).toEqual([expect.stringContaining(why)]);
    expect(
      whyOf(`-- Safe beside the last release: nothing has used it since.\n${sql.split(';').at(0)};`),
    ).toEqual([]);
  });

  it.each([
    'CREATE TABLE t (id INT PRIMARY KEY); CREATE INDEX t_idx ON t (id); ALTER TABLE t ADD CHECK (id > 0); DROP TABLE t',
    'ALTER TABLE sales ADD COLUMN slices INT NOT NULL DEFAULT 1 CHECK (slices > 0), ADD COLUMN parts INT[] NOT NULL DEFAULT ARRAY[1, 2]',
    'ALTER TABLE orders ADD COLUMN note TEXT, ADD COLUMN level INT NOT NULL DEFAULT 0, ADD COLUMN at TIMESTAMPTZ NOT NULL DEFAULT now()',
    'ALTER TABLE orders ADD CONSTRAINT one CHECK (note IS NOT NULL) NOT VALID',
    'ALTER TABLE orders VALIDATE CONSTRAINT one',
    'ALTER TABLE orders ALTER COLUMN note DROP NOT NULL, ALTER COLUMN note DROP DEFAULT, DROP CONSTRAINT one',
    'ALTER TABLE orders RENAME CONSTRAINT one TO other',
    'CREATE INDEX CONCURRENTLY one_idx ON orders_p3 (sale_id)',
    'CREATE INDEX one_idx ON ONLY orders (sale_id)',
    'CREATE INDEX sales_one_idx ON sales (gate)',
    'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $f$ DROP TABLE orders; UPDATE users SET level = 1 $f$',
    "COMMENT ON TABLE orders IS 'DROP TABLE orders; it''s a word'; -- DROP TABLE orders;",
    "INSERT INTO risk_rules (id) VALUES ('a'); UPDATE sales SET version = 2",
  ])('[K7] may do: %s', (sql) => {
    expect(findHazards(sql)).toEqual([]);
  });

  it('[K7] names the line, and a reason at the head holds for the whole script', () => {
    const sql = '-- About\n\nCREATE TABLE t (id INT);\n/* more */\nDROP TABLE orders;\n';
    expect(findHazards(sql)).toMatchObject([{ line: 5, statement: 'DROP TABLE orders' }]);
    expect(findHazards(`-- Safe beside the last release: it has no orders.\n${sql}`)).toEqual([]);
    expect(findHazards(`-- Safe beside the last release:\n${sql}`)).toHaveLength(1);
    expect(splitSql(' ; ;\n-- nothing\n')).toEqual([]);
  });
});

it('[K7] an index that is built while everybody goes on is alone in its migration, and the migration can be repeated', () => {
  const drop = 'DROP INDEX CONCURRENTLY IF EXISTS one_idx';
  const create = 'CREATE INDEX CONCURRENTLY one_idx ON payments (order_id)';
  expect(concurrentStatements(`-- About\n${drop};\n${create};`)).toEqual([drop, create]);
  expect(concurrentStatements('CREATE INDEX one_idx ON sales (gate)')).toBeNull();
  expect(() => concurrentStatements(`${drop}; ${create}; UPDATE sales SET version = 2`)).toThrow(
    'of its own',
  );
  expect(() => concurrentStatements(create)).toThrow(/needs DROP .* before it/);
});

const { commit, problem } = findLastRelease(root);

describe.skipIf(problem)('the migrations since the last release', () => {
  const known = problem ? [] : namesInRelease(root, commit, 'prisma/migrations');

  it('[K7] let the last release go on, and keep no table locked', async () => {
    const fresh = (await readMigrations()).migrationDirectories.filter(({ path }) => !known.includes(path));
    for (const { path } of fresh) {
      const sql = readFileSync(join(MIGRATIONS_DIR, path, 'migration.sql'), 'utf8');
      expect(findHazards(sql), path).toEqual([]);
    }
  });

  it('[K7] are new: none that shops have applied was changed', () => {
    const changed = execFileSync(
      'git',
      ['diff', '--name-status', '--diff-filter=MDR', commit, '--', 'prisma/migrations'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    expect(changed).toBe('');
  });
});
