import 'server-only';
import { z } from 'zod';
import { type ParsedFunction, parseFunction } from './parse-function';
import type { Executor } from './types';

const bodySchema = z.object({
  appName: z.string().min(1),
  functions: z.array(z.looseObject({ id: z.string() })).max(500),
});

type RegisterResult = { status: 'registered'; modified: boolean } | { status: 'invalid'; error: string };

const SAVE = `
  INSERT INTO executor.functions AS f (id, app_id, url, max_attempts, concurrency, crons, config)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (id) DO UPDATE SET app_id = excluded.app_id, url = excluded.url, max_attempts = excluded.max_attempts,
      concurrency = excluded.concurrency, crons = excluded.crons, config = excluded.config, removed_at = NULL
    WHERE f.config::text <> excluded.config::text OR f.app_id <> excluded.app_id OR f.removed_at IS NOT NULL`;

/**
 * Takes the body of `POST /fn/register` and replaces the app's functions by these. Removed functions start no new
 * runs; the runs they have go on.
 */
export async function registerFunctions(executor: Executor, body: unknown): Promise<RegisterResult> {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) return { status: 'invalid', error: z.prettifyError(parsed.error) };
  const { appName, functions } = parsed.data;

  const rows: (ParsedFunction & { config: string })[] = [];
  for (const config of functions) {
    try {
      rows.push({ ...parseFunction(config), config: JSON.stringify(config) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return {
        status: 'invalid',
        error: `Function ${config.id} can't run on the embedded executor: ${reason}`,
      };
    }
  }

  const client = await executor.pool.connect();
  let hasFailed = true;
  try {
    await client.query('BEGIN');
    // Two web processes may register at once. The second waits and then finds nothing to change.
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('executor.register'))`);
    let changed = 0;
    for (const row of rows) {
      const values = [row.id, appName, row.url, row.maxAttempts, row.concurrency, row.crons, row.config];
      const saved = await client.query(SAVE, values);
      if (!saved.rowCount) continue;
      changed += 1;
      await client.query('DELETE FROM executor.triggers WHERE function_id = $1', [row.id]);
      for (const trigger of row.triggers) {
        await client.query('INSERT INTO executor.triggers VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
          trigger.eventName,
          row.id,
          trigger.failedFunctionId,
        ]);
      }
    }
    const ids = rows.map((row) => row.id);
    const removed = await client.query(
      'UPDATE executor.functions SET removed_at = $3 WHERE app_id = $1 AND removed_at IS NULL AND id <> ALL ($2)',
      [appName, ids, new Date(executor.config.clock())],
    );
    await client.query(
      'DELETE FROM executor.triggers t USING executor.functions f WHERE f.id = t.function_id AND f.removed_at IS NOT NULL',
    );
    await client.query('COMMIT');
    hasFailed = false;
    return { status: 'registered', modified: changed + (removed.rowCount ?? 0) > 0 };
  } finally {
    // A connection that failed inside the transaction is thrown away. That also rolls the transaction back.
    client.release(hasFailed);
  }
}
