import { once } from 'node:events';
import pg from 'pg';
import { log } from '@/lib/http/log';
import { closeRedis } from '@/lib/redis/client';
import { withLock } from '../with-lock';

/**
 * A holder in a process of its own: takes the lock, says so, and writes with its fence when told to on standard input,
 * whatever has happened to it meanwhile. Prints one line per step.
 */
const say = (what: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(what)}\n`);

// Standard output is ours.
log.level = 'silent';
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await withLock('paused:note', { ttlMs: 300 }, async ({ fence, signal, remainingMs }) => {
  say({ step: 'held', fence });
  await once(process.stdin, 'data');
  // What a holder that never looks at its signal would do.
  const { rowCount } = await client.query(
    "UPDATE notes SET text = 'paused', fence = $1 WHERE id = 'note' AND fence <= $1",
    [fence],
  );
  say({ step: 'wrote', rowCount, remainingMs: remainingMs(), aborted: signal.aborted });
});
await client.end();
await closeRedis();
process.stdin.destroy();
