import './load-runtime-env';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { closeDb } from '@/lib/db/client';
import { lowerPriority, WRITER_NICENESS } from '@/lib/lower-priority';
import { noteBackup } from '@/lib/preflight/backup-note';
import { demandStrong, readPassphrase } from './backup/read-passphrase';
import { listParts, size } from './backup/say-manifest';
import { writeBackup } from './backup/write-backup';
import { dataDirPath } from './infra/data-dir.mjs';
import { usageOf } from './infra/usages.mjs';
import { runOnDatabase } from './run-on-database';
import { sayWhy } from './say-why';
import { UsageError } from './usage-error';

const root = resolve(import.meta.dirname, '..');

/**
 * `npm run backup -- --out FILE`: writes the database and the data directory's secrets and media into one encrypted
 * file, while the product runs. Exit code 0: written; 2: not, with one sentence.
 */
await runOnDatabase('Backup', async (onPart, done) => {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      'passphrase-file': { type: 'string' },
      'with-mail': { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
    },
  });
  if (!values.out) throw new UsageError(`usage: ${usageOf('backup')}`);
  // The shop sells meanwhile, perhaps on the same processors.
  lowerPriority(process.pid, WRITER_NICENESS);
  const databaseUrl = process.env.DATABASE_URL;
  if (!databaseUrl)
    throw new UsageError('no product is known here: run npm start first, or set DATABASE_URL');
  const { manifest, bytes } = await writeBackup({
    databaseUrl,
    dataDir: dataDirPath(root, process.env.SECKILL_DATA_DIR),
    out: values.out,
    mayReplace: values.force,
    passphrase: demandStrong(readPassphrase(values['passphrase-file'], process.env)),
    withMail: values['with-mail'],
    productVersion: JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')).version,
    onPart,
  });
  // The file is whole, whatever becomes of the note.
  const unnoted = await noteBackup(manifest.takenAt)
    .then(() => [], sayUnnoted)
    .finally(closeDb);
  const { MEDIA_BUCKET: bucket } = process.env;
  const elsewhere = bucket ? [`Pictures are not in it: back up the bucket ${bucket} by its own means.`] : [];
  done([`${values.out}: ${size(bytes)}`, ...listParts(manifest), ...elsewhere, ...unnoted]);
});

function sayUnnoted(error: unknown): string[] {
  return [`/admin/setup does not know of it: ${sayWhy(error)}`];
}
