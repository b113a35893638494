import { setTimeout as sleep } from 'node:timers/promises';
import { connectionReason } from './connection-reason.mjs';
import { Problem } from './problem.mjs';

/** Migration 0004 needs foreign keys that are not enforced, which older versions lack. */
const OLDEST_POSTGRES = 18;
const CONNECT_TIMEOUT_MS = 10_000;
/** The code of a server that is still recovering: the check waits for it. */
const STARTING_UP = '57P03';
const LONGEST_RECOVERY_MS = 600_000;

const REASONS = {
  '28P01': 'the password or the user name is wrong',
  '3D000': 'that database does not exist: create it',
  42501: 'the user may not connect to that database',
  53300: 'it has no connection left',
  [STARTING_UP]: 'it is still starting up, after ten minutes',
};

/** Asks for everything that must be true of a server before the product changes anything in it. */
const QUESTIONS = `
  SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
    current_setting('server_version_num')::int / 10000 AS major,
    current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool AS "isReadOnly",
    to_regclass('_prisma_migrations') IS NOT NULL
      OR has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege('public', 'CREATE') AS "mayCreate"`;

/**
 * Checks whether the product can use a Postgres, and changes nothing.
 * @param {string} url DATABASE_URL
 * @param {import('./progress.mjs').Wait} [wait] called for a server that is still recovering
 * @param {string} [or] what the user may do instead of correcting DATABASE_URL, for the message
 * @returns {Promise<string>} the server's version.
 * @throws {Problem} that says what is wrong with it, without the password.
 */
export async function checkPostgres(url, wait = () => {}, or = ', or unset it to use the embedded Postgres') {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    throw new Problem(
      `DATABASE_URL is not a Postgres address: write it as postgres://user:password@host:5432/database (with %40 for an @ in the password, %2F for a /)${or}.`,
    );
  }
  const place = `${parsed.hostname}:${parsed.port || 5432}${parsed.pathname}`;
  const refuse = (reason) => {
    throw new Problem(`Postgres at ${place} can't be used (${reason}): correct DATABASE_URL${or}.`);
  };
  const found = await ask(url, parsed, refuse, wait);
  const reason = unfit(found, decodeURIComponent(parsed.username));
  if (reason) refuse(reason);
  return found.version;
}

/**
 * @param {{ version: string, major: number, encoding: string, isReadOnly: boolean, mayCreate: boolean }} found
 * @param {string} user
 * @returns {string | undefined} why the product can't use such a server.
 */
export function unfit({ version, major, encoding, isReadOnly, mayCreate }, user) {
  if (major < OLDEST_POSTGRES)
    return `it is version ${version}, and ${OLDEST_POSTGRES} is the oldest that will do`;
  if (encoding !== 'UTF8') return `its encoding is ${encoding}: create the database with UTF8`;
  if (isReadOnly) return 'it takes no changes: it is a replica, or read-only';
  if (!mayCreate)
    return `the user may not create schemas and tables: make ${user || 'it'} the owner of the database`;
  return undefined;
}

async function ask(url, parsed, refuse, wait) {
  const { default: pg } = await import('pg');
  const deadline = Date.now() + LONGEST_RECOVERY_MS;
  for (;;) {
    try {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
      client.on('error', () => {});
      try {
        await client.connect();
        return (await client.query(QUESTIONS)).rows[0];
      } finally {
        await client.end().catch(() => {});
      }
    } catch (error) {
      if (error.code !== STARTING_UP || Date.now() > deadline) refuse(reasonOf(error, parsed));
      wait(() => `Postgres is there and says: ${error.message}`);
      await sleep(500);
    }
  }
}

function reasonOf(error, { searchParams }) {
  const message = String(error.message);
  // "no pg_hba.conf entry for host …, no encryption": the server would accept the same user with TLS.
  if (/no pg_hba\.conf entry.*(no encryption|SSL off)/.test(message))
    return 'it refuses connections without TLS: add ?sslmode=verify-full to the address';
  if (/no pg_hba\.conf entry|pg_hba\.conf rejects/.test(message))
    return 'its pg_hba.conf does not let this user in from this machine';
  if (/does not support SSL/.test(message))
    return `it speaks no TLS there: remove sslmode=${searchParams.get('sslmode') ?? 'require'} from the address`;
  if (/password must be a string|no password supplied/.test(message))
    return 'it wants a password, and the address has none';
  if (/Connection terminated unexpectedly|invalid response|Received unexpected/.test(message))
    return 'what answers there does not speak like Postgres';
  return REASONS[error.code] ?? connectionReason(error) ?? message;
}
