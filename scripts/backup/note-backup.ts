import { Client } from 'pg';

/** Notes that a backup was written whole, so that the shop can say how old the latest one is. @throws what Postgres says */
export async function noteBackup(databaseUrl: string, bytes: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('INSERT INTO backups (bytes) VALUES ($1) ON CONFLICT DO NOTHING', [bytes]);
  } finally {
    await client.end();
  }
}
