import 'server-only';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBackup } from './backup/check-backup';
import { loadBackup } from './backup/load-backup';
import { readPassphrase } from './backup/read-passphrase';
import { restoreDataDir, restoreSecrets } from './backup/restore-data-dir';
import { sayLosses } from './backup/say-losses';
import { listParts } from './backup/say-manifest';
import { checkPostgres } from './infra/check-postgres.mjs';
import { dataDir, dataDirPath } from './infra/data-dir.mjs';
import { usageOf } from './infra/usages.mjs';
import { runOnDatabase } from './run-on-database';
import { UsageError } from './usage-error';

const root = resolve(import.meta.dirname, '..');

const HELD =
  'Notices and reminders to shoppers, in the shop and by mail, wait until you switch them on at /admin/switchboard.';

/**
 * `npm run restore -- --in FILE [--data-dir DIR] [--check]`: restores a backup into an empty data directory or, if
 * DATABASE_URL is set, into that empty database. Reads the whole file first: nothing is restored from a damaged one.
 * Exit code 0: restored, or, with `--check`, whole; 2: not, with one sentence.
 */
await runOnDatabase('Restore', async (onPart, done) => {
  const { values } = parseArgs({
    options: {
      in: { type: 'string' },
      'passphrase-file': { type: 'string' },
      'data-dir': { type: 'string' },
      check: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  if (!values.in) throw new UsageError(`usage: ${usageOf('restore')}`);
  const file = values.in;
  const passphrase = readPassphrase(values['passphrase-file'], process.env);
  const { manifest, secrets } = await checkBackup(file, passphrase, (name) => onPart(`checking ${name}`));
  if (values.check) return done(values.json ? [JSON.stringify({ manifest })] : listParts(manifest));
  // Never the addresses that a running product left in its data directory: only what the caller set.
  const { DATABASE_URL: given, REDIS_URL: redisUrl } = process.env;
  const dir = dataDirPath(root, values['data-dir'] || process.env.SECKILL_DATA_DIR);
  const fill = async (databaseUrl: string) => {
    const foreign = await loadBackup({ file, passphrase, manifest, databaseUrl, dataDir: dir, onPart });
    const { takenAt } = manifest;
    const { lines, unknown } = await sayLosses({ databaseUrl, redisUrl, dataDir: dir, takenAt });
    const left = foreign.map((name) => `Not restored, since no migration makes it: ${name}`);
    const next = `Start with SECKILL_DATA_DIR=${dir} npm start, then run npm run verify: it compares the payment providers' books, too.`;
    done(
      values.json
        ? [JSON.stringify({ manifest, unknown, notRestored: foreign })]
        : [...listParts(manifest), ...left, ...lines, HELD, next],
    );
  };
  if (given) {
    await checkPostgres(given, undefined, '');
    await fill(given);
    restoreSecrets(dataDir(root, dir).dir, secrets);
  } else {
    await restoreDataDir(dir, secrets, fill);
  }
});
