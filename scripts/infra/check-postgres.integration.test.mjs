import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { selfSigned } from '../../deploy/nginx/testing/self-signed';
import { checkPostgres, unfit } from './check-postgres.mjs';
import { anyFreePort } from './ports.mjs';
import { startPostgres } from './postgres.mjs';
import { postgresUser } from './postgres-user.mjs';

const SUFFIX = Math.random().toString(36).slice(2, 10);
const ROLE = `check_role_${SUFFIX}`;
const DATABASE = `check_ascii_${SUFFIX}`;
const admin = new pg.Client({ connectionString: inject('databaseUrl') });

beforeAll(async () => {
  await admin.connect();
  await admin.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'pw'`);
  await admin.query(`CREATE DATABASE ${DATABASE} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`);
});
afterAll(async () => {
  await admin.query(`DROP DATABASE ${DATABASE}`);
  await admin.query(`DROP ROLE ${ROLE}`);
  await admin.end();
});

function at(changes, search = '') {
  const url = new URL(inject('databaseUrl'));
  Object.assign(url, changes, { search });
  return url.href;
}
/** Returns the reason, which stands between the brackets of the one sentence. */
async function refusal(url) {
  const message = await checkPostgres(url).then(
    (version) => `accepted ${version}`,
    (error) => error.message,
  );
  const [, reason] =
    /^Postgres at \S+ can't be used \((.*)\): correct DATABASE_URL, or unset it to use the embedded Postgres\.$/.exec(
      message,
    ) ?? [];
  return reason ?? message;
}

describe("a Postgres of the user's", () => {
  it('[L1] that will do tells its version', async () => {
    expect(await checkPostgres(inject('databaseUrl'))).toMatch(/^18/);
  });

  it('[L1] cannot be reached or entered, each way in words and without the password', async () => {
    expect(await refusal('my-database')).toMatch(/^DATABASE_URL is not a Postgres address/);
    expect(await refusal('postgres://me:pass#word@host/shop')).toMatch(
      /^DATABASE_URL is not a Postgres address.*%40/,
    );
    expect(await refusal(`postgres://me:secret@127.0.0.1:${await anyFreePort()}/shop`)).toBe(
      'nothing answers there',
    );
    expect(await refusal('postgres://me:secret@no-such-host.invalid/shop')).toMatch(
      /^its host name (is unknown|cannot be looked up)/,
    );
    const wrong = await refusal(at({ password: 'geheim' }));
    expect(wrong).toBe('the password or the user name is wrong');
    expect(await refusal(at({ password: '' }))).toBe('it wants a password, and the address has none');
    expect(await refusal(at({ pathname: '/no_such_database' }))).toBe(
      'that database does not exist: create it',
    );
  });

  it('[L1] would only fail in the middle of the migrations', async () => {
    expect(await refusal(at({ username: ROLE, password: 'pw' }))).toBe(
      `the user may not create schemas and tables: make ${ROLE} the owner of the database`,
    );
    expect(await refusal(at({}, '?options=-c%20default_transaction_read_only%3Don'))).toBe(
      'it takes no changes: it is a replica, or read-only',
    );
    expect(await refusal(at({ pathname: `/${DATABASE}` }))).toBe(
      'its encoding is SQL_ASCII: create the database with UTF8',
    );
    const found = { version: '15.18', major: 15, encoding: 'UTF8', isReadOnly: false, mayCreate: true };
    expect(unfit(found, 'me')).toBe('it is version 15.18, and 18 is the oldest that will do');
    expect(unfit({ ...found, major: 18 }, 'me')).toBeUndefined();
  });

  it('[L1] speaks no TLS, only TLS, or has a certificate nobody knows', async () => {
    expect(await refusal(at({}, '?sslmode=verify-full'))).toBe(
      'it speaks no TLS there: remove sslmode=verify-full from the address',
    );
    const { url, stop } = await startWithTls();
    try {
      expect(await refusal(url)).toMatch(/^it refuses connections without TLS: add \?sslmode=/);
      expect(await refusal(`${url}?sslmode=verify-full`)).toMatch(
        /^its certificate is signed by nobody .* NODE_EXTRA_CA_CERTS$/,
      );
    } finally {
      await stop();
    }
  });

  it('[L1] that still recovers is waited for; what is no Postgres is named as such', async () => {
    const recovering = await pretend(['57P03', '57P03', '28P01'].map(errorResponse));
    const waits = [];
    await expect(checkPostgres(recovering.url, (what) => waits.push(what()))).rejects.toThrow(/password/);
    expect(waits).toEqual(Array(2).fill('Postgres is there and says: the database system is starting up'));
    await recovering.close();
    const web = await pretend([Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')]);
    expect(await refusal(web.url)).toBe('what answers there does not speak like Postgres');
    await web.close();
  });
});

/** Starts a Postgres that accepts only TLS, with a self-signed certificate. */
async function startWithTls() {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-check-postgres-'));
  const { uid, gid } = postgresUser() ?? { uid: process.getuid(), gid: process.getgid() };
  chownSync(dir, uid, gid);
  const { certificate, key } = selfSigned(['127.0.0.1']);
  const files = {
    'cert.pem': certificate,
    'key.pem': key,
    'hba.conf': 'hostssl all all all scram-sha-256\n',
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(dir, name), text, { mode: 0o600 });
    chownSync(join(dir, name), uid, gid);
  }
  const { url, stop } = await startPostgres({
    dir: join(dir, 'cluster'),
    port: await anyFreePort(),
    password: 'pw',
    logFile: join(dir, 'log'),
    settings: {
      ssl: 'on',
      ssl_cert_file: join(dir, 'cert.pem'),
      ssl_key_file: join(dir, 'key.pem'),
      hba_file: join(dir, 'hba.conf'),
      fsync: 'off',
    },
  });
  return {
    url,
    async stop() {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Encodes an error as Postgres does: the type, the length, and fields that end with a zero. */
function errorResponse(code) {
  const fields = Buffer.from(`SFATAL\0C${code}\0Mthe database system is starting up\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from('E'), length, fields]);
}

/** Starts a server that gives one answer to each connection and hangs up. */
async function pretend(answers) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answers.shift()));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `postgres://me:secret@127.0.0.1:${server.address().port}/shop`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
