import { Problem } from './problem.mjs';

// The packages are imported when called: before `npm ci` there are none.

const POSTGRES_REASONS = {
  '28P01': 'the password or the user name is wrong',
  28000: 'the user may not sign in',
  '3D000': 'that database does not exist',
  53300: 'it has no connection left',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name could not be looked up',
  ECONNREFUSED: 'nothing answers there',
  ETIMEDOUT: 'it does not answer',
};

/**
 * @param {string} url DATABASE_URL
 * @returns {Promise<string>} the server's version.
 * @throws {Problem} that says what is wrong with it, without the password.
 */
export async function checkPostgres(url) {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    throw new Problem(
      'DATABASE_URL is not a Postgres address: write it as postgres://user:password@host:5432/database, or unset it to use the embedded Postgres.',
    );
  }
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('SHOW server_version');
    return rows[0].server_version;
  } catch (error) {
    const reason = POSTGRES_REASONS[error.code ?? error.errors?.[0]?.code] ?? error.message;
    const place = `${parsed.hostname}:${parsed.port || 5432}${parsed.pathname}`;
    throw new Problem(
      `Postgres at ${place} can't be used (${reason}): correct DATABASE_URL, or unset it to use the embedded Postgres.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** Creates a database of the embedded server unless it is there. @param {string} adminUrl @param {string} name */
export async function ensureDatabase(adminUrl, name) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * @param {string} url REDIS_URL or CACHE_REDIS_URL @param {string} variable its name, for the message
 * @returns {Promise<string[]>} warnings about settings that would lose accepted purchases.
 * @throws {Problem} that says what is wrong with it, without the password.
 */
export async function checkRedis(url, variable) {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['redis:', 'rediss:'].includes(parsed.protocol)) {
    throw new Problem(
      `${variable} is not a Redis address: write it as redis://host:6379, or unset it to use the embedded Redis.`,
    );
  }
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure;
  client.on('error', (error) => {
    failure ??= error;
  });
  try {
    await client.connect();
    await client.ping();
    const read = async (name) => (await client.config('GET', name).catch(() => []))[1];
    const wanted = { 'maxmemory-policy': 'noeviction', appendonly: 'yes', appendfsync: 'always' };
    const warnings = [];
    for (const [name, value] of Object.entries(wanted)) {
      const found = await read(name);
      if (found !== undefined && found !== value) warnings.push(`${name} is ${found}, should be ${value}`);
    }
    return warnings;
  } catch (error) {
    const reason = (failure ?? error).message || (failure ?? error).code || 'nothing answers there';
    throw new Problem(
      `Redis at ${parsed.hostname}:${parsed.port || 6379} can't be used (${reason}): correct ${variable}, or unset it to use the embedded Redis.`,
    );
  } finally {
    client.disconnect();
  }
}
