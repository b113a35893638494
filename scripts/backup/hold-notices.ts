import pg from 'pg';

const HOLD = `
  INSERT INTO side_features (feature, mode, changed_by)
  SELECT feature, 'off', 'system' FROM unnest(ARRAY['notices', 'reminders']) AS f (feature)
  ON CONFLICT (feature) DO UPDATE SET mode = excluded.mode, changed_by = excluded.changed_by, changed_at = now(),
    version = side_features.version + 1, change = nextval('side_features_change_seq')`;

/**
 * Switches notices and reminders off in a restored database, so that shoppers hear from one product: a copy tells nobody
 * what the first one has told, until an operator switches them on.
 */
export async function holdNotices(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(HOLD);
  } finally {
    await client.end();
  }
}
