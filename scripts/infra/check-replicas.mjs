import { connectionReason } from './connection-reason.mjs';
import { Problem } from './problem.mjs';

const CONNECT_TIMEOUT_MS = 5_000;
const IDENTITY = `
  SELECT pg_is_in_recovery() AS "isReplica", (SELECT system_identifier::text FROM pg_control_system()) AS system`;
/** Postgres's code for a user who may not ask. */
const NOT_ALLOWED = '42501';

/**
 * Checks the replicas that lists and reports are read from. One that is away fails no start, since the primary stands
 * in for it; one that is something else does.
 * @param {string} urls DATABASE_REPLICA_URLS
 * @param {string} primaryUrl DATABASE_URL
 * @returns {Promise<string>} what it found, for the progress line.
 * @throws {Problem} that says which one is no replica of the primary, without its password.
 */
export async function checkReplicas(urls, primaryUrl) {
  const primary = await identify(primaryUrl);
  const all = urls.split(',').map((url) => url.trim());
  const away = [];
  for (const url of all) {
    const place = placeOf(url);
    const refuse = (reason) => {
      throw new Problem(
        `Postgres at ${place} can't be read from (${reason}): correct DATABASE_REPLICA_URLS, or unset it to read from the primary alone.`,
      );
    };
    const found = await identify(url).catch((error) => {
      const reason = connectionReason(error);
      if (!reason) refuse(error.message);
      away.push(`${place}: ${reason}`);
    });
    if (!found) continue;
    if (!found.isReplica) refuse('it is no replica: it takes changes of its own');
    if (primary.system && found.system && found.system !== primary.system)
      refuse('it is the replica of another server');
  }
  const careful = away.length > 0 ? ` (careful: ${away.join('; ')})` : '';
  return `${all.length - away.length} of ${all.length} replicas${careful}`;
}

/** @param {string} url @returns {string} the server's place, without user and password */
function placeOf(url) {
  if (!URL.canParse(url))
    throw new Problem(
      'DATABASE_REPLICA_URLS is not a list of Postgres addresses: write it as postgres://user:password@host:5432/database, separated by commas, or unset it.',
    );
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname}`;
}

async function identify(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(IDENTITY)).rows[0];
  } catch (error) {
    if (error.code !== NOT_ALLOWED) throw error;
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS "isReplica"');
    return { ...rows[0], system: null };
  } finally {
    await client.end().catch(() => {});
  }
}
