import { once } from 'node:events';
import pg from 'pg';
import { log } from '@/lib/http/log';
import { closeRedis } from '@/lib/redis/client';
import { outlastStandstills } from '@/test/support/outlast-standstills';
import { withLock } from '../with-lock';

outlastStandstills();

/**
 * A lock holder in a process of its own. It takes the lock, reports that, and waits for a command on standard input.
 * Then it writes with its fence, even if it lost the lock meanwhile. Prints one line per step.
 */
const say = (what: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(what)}\n`);

// Only this script's own lines may appear on standard output.
log.level = 'silent';
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await withLock(
  'paused:note',
  { ttlMs: 1_000, acquireTimeoutMs: 60_000 },
  async ({ fence, signal, remainingMs }) => {
    say({ step: 'held', fence });
    await once(process.stdin, 'data');
    // Does what a holder would do that never looks at its signal.
    const { rowCount } = await client.query(
      "UPDATE notes SET text = 'paused', fence = $1 WHERE id = 'note' AND fence <= $1",
      [fence],
    );
    say({ step: 'wrote', rowCount, remainingMs: remainingMs(), aborted: signal.aborted });
  },
);
await client.end();
await closeRedis();
process.stdin.destroy();
