import pg from 'pg';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database and returns its URL and a function that drops it.
 * @param adminUrl Any database of the same server.
 * @param name Lower-case letters, digits and underscores.
 * @param template Database to copy; no client may be connected to it. Default: an empty one.
 */
export async function createDatabase(
  adminUrl: string,
  name: string,
  template = 'template1',
): Promise<TestDatabase> {
  // Copied as files it takes half the processor time that it takes through the log.
  await run(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    // FORCE: a test that leaves a connection open must not make other tests' clean-up fail.
    drop: () => run(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
