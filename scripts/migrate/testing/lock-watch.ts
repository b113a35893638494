import pg from 'pg';

/** A lock that kept others from writing to a table, or from reading it. */
export type HeldLock = { table: string; mode: string; ms: number };

const LOOK_EVERY_MS = 2;
/** These conflict with writing. */
const MODES = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];
const TABLES = `SELECT oid, relname FROM pg_class
                WHERE relnamespace IN ('public'::regnamespace, 'executor'::regnamespace) AND relkind IN ('r', 'p')`;
const LOCKS = `SELECT relation, mode, pid FROM pg_locks
               WHERE granted AND pid <> pg_backend_pid() AND mode = ANY ($1) AND relation = ANY ($2)
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * For tests: watches the tables that there are now, and writes down for how long anybody locks one of them against
 * writers. It looks every few ms.
 * @returns a function that stops it and returns the locks, the longest first
 */
export async function watchLocks(databaseUrl: string): Promise<() => Promise<HeldLock[]>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ oid: number; relname: string }>(TABLES);
  const nameOf = new Map(tables.map(({ oid, relname }) => [oid, relname]));
  const open = new Map<string, { lock: HeldLock; since: number; seenAt: number }>();
  const closed: HeldLock[] = [];
  let isOver = false;
  const look = async () => {
    const askedAt = performance.now();
    const { rows } = await client.query(LOCKS, [MODES, [...nameOf.keys()]]);
    for (const { relation, mode, pid } of rows) {
      const key = `${relation} ${mode} ${pid}`;
      const lock = { table: nameOf.get(relation) ?? '', mode, ms: 0 };
      const held = open.get(key) ?? { lock, since: askedAt, seenAt: askedAt };
      open.set(key, { ...held, seenAt: askedAt });
    }
    for (const [key, { lock, since, seenAt }] of open) {
      if (seenAt === askedAt) continue;
      // It ended at some moment since the last look.
      closed.push({ ...lock, ms: performance.now() - since });
      open.delete(key);
    }
  };
  const watching = (async () => {
    while (!isOver) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    await look();
    await client.end();
  })();
  return async () => {
    isOver = true;
    await watching;
    return closed.toSorted((a, b) => b.ms - a.ms);
  };
}
