import type pg from 'pg';

const HOLD = `
  INSERT INTO side_features (feature, mode, changed_by)
  SELECT feature, 'off', 'system' FROM unnest(ARRAY['notices', 'reminders']) AS f (feature)
  ON CONFLICT (feature) DO UPDATE SET mode = excluded.mode, changed_by = excluded.changed_by, changed_at = now(),
    version = side_features.version + 1, change = nextval('side_features_change_seq')`;

/**
 * Switches notices and reminders off in a restored database, so that shoppers hear from one product: a copy tells nobody
 * what the first one has told, until an operator switches them on.
 * @returns false if the database can't hold them yet: it needs newer migrations first
 */
export async function holdNotices(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass('side_features_change_seq') IS NOT NULL AS can");
  if (rows[0]?.can !== true) return false;
  await client.query(HOLD);
  return true;
}
