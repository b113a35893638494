import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const RETRY_MS = 100;
/** More clients than any Postgres of ours accepts. */
const MOST_CLIENTS = 500;

export type Crowd = {
  /** Closes all connections. */
  leave(): Promise<void>;
};

/**
 * Takes every free connection of a Postgres, and each one that becomes free. Ends idle connections of others first,
 * because otherwise the product would hardly notice. Resolves when none is left.
 * @param url of a superuser: the reserved connections are taken, too
 */
export async function crowdPostgres(url: string): Promise<Crowd> {
  const clients: pg.Client[] = [];
  let isOver = false;
  const join = async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    // The server may be killed while the client is connected.
    client.on('error', () => {});
    try {
      await client.connect();
    } catch {
      return false;
    }
    clients.push(client);
    return true;
  };
  const fill = async () => {
    while (!isOver && clients.length < MOST_CLIENTS && (await join()));
  };
  await join();
  await clients[0]
    ?.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle' AND pid <> pg_backend_pid()",
    )
    .catch(() => {});
  await fill();
  const staying = (async () => {
    while (!isOver) {
      await sleep(RETRY_MS);
      await fill();
    }
  })();
  return {
    async leave() {
      isOver = true;
      await staying;
      await Promise.allSettled(clients.map((client) => client.end()));
    },
  };
}
