import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { sqlState } from '@/lib/db/sql-state';
import { concurrentStatements } from './concurrent-statements';

/** The official Prisma schema engine, compiled to WebAssembly: it needs no download and no native binary. */

interface EngineGlue {
  SchemaEngine: typeof SchemaEngine;
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
}

/** Excludes nothing: everything in the schema is ours. */
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

let glue: Promise<EngineGlue> | undefined;

async function load(): Promise<EngineGlue> {
  const require = createRequire(import.meta.url);
  const entry = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const loaded: EngineGlue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(entry.replace(/\.js$/, '.wasm'));
  const imports = { ...(loaded as unknown as WebAssembly.ModuleImports) };
  for (const name of Object.keys(imports)) {
    // The engine's 10 s timeout for the advisory lock is never cleared and would keep the process from ending.
    if (name.startsWith('__wbg_setTimeout_')) {
      imports[name] = (callback: () => void, delayMs: number) => setTimeout(callback, delayMs >>> 0).unref();
    }
  }
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': imports });
  loaded.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return loaded;
}

/**
 * A script holds this lock as long as its transaction lasts, which continues for a while if the process that sent it
 * is killed.
 */
export const SCRIPT_LOCK_KEY = 5_318_008_212;

/**
 * Sends each script whole: Postgres runs it as one transaction, so a failed migration leaves nothing behind. (Prisma's
 * adapter cuts at every semicolon, also inside `$$ … $$`.) The transaction itself notes the migration, so a kill before
 * the engine's own note does no harm. Only indexes built while everybody goes on are sent one by one: they may be
 * repeated.
 */
class WholeScripts extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      const isOfEngine = script.includes('_prisma_migrations');
      const apart = concurrentStatements(script);
      for (const sql of apart ?? []) await adapter.executeRaw({ sql, args: [], argTypes: [] });
      // The adapter uses the simple protocol if there are no arguments: that takes any number of statements.
      const run = () =>
        adapter.executeRaw({
          sql: isOfEngine ? script : noted(apart ? '' : script),
          args: [],
          argTypes: [],
        });
      await withPatience(run);
    };
    return adapter;
  }
}

/** SQLSTATE */
const LOCK_TIMEOUT = '55P03';
const TRIES = 300;
const PAUSE_MS = 1_000;

/**
 * Runs a script again while a lock it asks for is not free within its own `lock_timeout`: then all of it was rolled
 * back. A script that waits for the lock of a whole table keeps everybody else waiting, so it must not be for long.
 */
async function withPatience<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (sqlState(error) !== LOCK_TIMEOUT || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

const noted = (migration: string): string => `SELECT pg_advisory_xact_lock(${SCRIPT_LOCK_KEY});
${migration}
;UPDATE _prisma_migrations SET finished_at = clock_timestamp()
  WHERE finished_at IS NULL AND rolled_back_at IS NULL AND logs IS NULL;`;

/**
 * Runs `work` with an engine for one database and closes every connection afterwards.
 * @param url Connection string; `diff` between schema files never connects, so any will do there.
 */
export async function withEngine<T>(url: string, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  glue ??= load();
  const { SchemaEngine } = await glue;
  // Uses a pool of our own: the engine has no call that closes the pool the adapter would open.
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 10_000 });
  const adapter = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool));
  try {
    const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, adapter);
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}
