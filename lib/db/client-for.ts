import 'server-only';
import pg from 'pg';

/**
 * Tells whether an address leads to a pooler that gives every transaction another connection, as PgBouncer does in
 * transaction mode. Nothing else could tell us: the address says so itself, by Prisma's `?pgbouncer=true`.
 */
export const isPooled = (url: string): boolean =>
  URL.canParse(url) && new URL(url).searchParams.get('pgbouncer') === 'true';

/**
 * A client that keeps no statement under a name. Behind a pooler the next transaction meets another connection, where
 * the name means nothing, or something else (PgBouncer knows names from 1.21 on, and only if it is told to).
 */
class NamelessClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    Object.assign(this, {
      query: (first: unknown, ...rest: unknown[]) => query(withoutName(first), ...rest),
    });
  }
}

/** Leaves queries that send themselves as they are. */
function withoutName(query: unknown): unknown {
  const isNamed = typeof query === 'object' && query !== null && 'name' in query && !('submit' in query);
  return isNamed ? { ...query, name: undefined } : query;
}

/** Returns the class of the connections to an address, for `pg.Pool`. */
export const clientFor = (url: string): typeof pg.Client => (isPooled(url) ? NamelessClient : pg.Client);
