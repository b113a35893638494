import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Problem } from '../infra/problem.mjs';
import type { Manifest } from './manifest';
import { openSnapshot } from './open-snapshot';
import { readLayout } from './read-layout';
import { replaceFile } from './replace-file';
import { seal } from './seal';
import { writeArchive } from './write-archive';

/** SQLSTATE */
const NO_RIGHT = '42501';
/** Higher levels take several times as long, for a few percent. */
const GZIP_LEVEL = 3;

type BackupOptions = {
  databaseUrl: string;
  dataDir: string;
  /** The file to write. */
  out: string;
  mayReplace: boolean;
  passphrase: string;
  withMail: boolean;
  productVersion: string;
  /** Called with what is under way. */
  onPart?: (name: string) => void;
};

/**
 * Writes a backup of the database and the data directory into one encrypted file. The product may run and sell: the
 * tables are those of one moment. Needs little memory, whatever the size.
 * @returns the manifest and the size of the file.
 */
export async function writeBackup(options: BackupOptions): Promise<{ manifest: Manifest; bytes: number }> {
  const { databaseUrl, out, mayReplace, passphrase, onPart = () => {} } = options;
  const client = await openSnapshot(databaseUrl, () => onPart('a migration that is under way'));
  try {
    const layout = await readLayout(client);
    let manifest: Manifest | undefined;
    const archive = writeArchive({
      ...options,
      client,
      layout,
      onPart,
      onDone(done) {
        manifest = done;
      },
    });
    let bytes = 0;
    await pipeline(
      archive,
      createGzip({ level: GZIP_LEVEL }),
      (packed: AsyncIterable<Buffer>) => seal(packed, passphrase),
      async (sealed: AsyncIterable<Buffer>) => {
        bytes = await replaceFile(out, sealed, mayReplace);
      },
    );
    if (!manifest) throw new Error('the archive ended without its manifest');
    return { manifest, bytes };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw code === NO_RIGHT
      ? new Problem(
          `The user of DATABASE_URL may not read everything (${message}): back up as the owner of the database.`,
        )
      : error;
  } finally {
    await client.end().catch(() => {});
  }
}
