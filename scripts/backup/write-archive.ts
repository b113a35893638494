import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { copyOut } from './copy-out';
import { toData, toHeading } from './frames';
import { listFiles } from './list-files';
import { fileName, MANIFEST, type Manifest, type Part, tableName } from './manifest';
import { type Layout, quoted, readSequences } from './read-layout';

type Options = {
  client: pg.Client;
  layout: Layout;
  dataDir: string;
  withMail: boolean;
  productVersion: string;
  /** Called with the name of each part that begins. */
  onPart: (name: string) => void;
  onDone: (manifest: Manifest) => void;
};

/** Streams the content of a backup: every table of the snapshot, the files, and at the end the manifest. */
export async function* writeArchive(options: Options): AsyncGenerator<Buffer> {
  const { client, layout, dataDir, withMail, productVersion, onPart, onDone } = options;
  const { tables: order, ...about } = layout;
  const tables: Manifest['tables'] = [];
  for (const table of order) {
    const name = tableName(table);
    const { name: from, columns } = quoted(table);
    onPart(name);
    // A partitioned table can be read only by a query.
    const part = yield* writePart(name, copyOut(client, `COPY (SELECT ${columns} FROM ${from}) TO STDOUT`));
    tables.push({ ...table, ...part.seen, rows: part.result ?? 0 });
  }
  const sequences = await readSequences(client);
  const files: Part[] = [];
  for (const path of listFiles(dataDir, { withMail })) {
    const name = fileName(path);
    // Meanwhile a worker may have removed a picture that no product shows.
    const file = await openIfThere(join(dataDir, path));
    if (!file) continue;
    onPart(name);
    files.push((yield* writePart(name, readFile(file))).seen);
  }
  const manifest: Manifest = { productVersion, ...about, tables, files, sequences };
  yield* writePart(MANIFEST, single(Buffer.from(JSON.stringify(manifest))));
  onDone(manifest);
}

async function* writePart<T>(
  name: string,
  source: AsyncGenerator<Buffer, T>,
): AsyncGenerator<Buffer, { seen: Part; result: T }> {
  yield toHeading(name);
  const hash = createHash('sha256');
  let bytes = 0;
  for (;;) {
    const { value, done } = await source.next();
    if (done) return { seen: { name, bytes, sha256: hash.digest('hex') }, result: value };
    hash.update(value);
    bytes += value.length;
    yield* toData(value);
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  return open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function* readFile(file: FileHandle): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of file.createReadStream()) yield chunk;
}

async function* single(bytes: Buffer): AsyncGenerator<Buffer, undefined> {
  yield bytes;
}
