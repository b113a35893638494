import { createHash } from 'node:crypto';
import { Problem } from '../infra/problem.mjs';
import { SECRETS_FILE } from './list-files';
import { fileName, MANIFEST, type Manifest, manifest, type Part } from './manifest';
import { openBackup } from './open-backup';

/** These are read into memory. */
const KEPT = [MANIFEST, fileName(SECRETS_FILE)];

type Checked = {
  manifest: Manifest /** Null: the backup has none. */;
  secrets: Record<string, string> | null;
};

/**
 * Reads a whole backup and compares every part with the manifest. Writes nothing.
 * @throws Problem if it is no backup, the passphrase is wrong, or a single byte differs.
 */
export async function checkBackup(
  file: string,
  passphrase: string,
  onPart: (name: string) => void = () => {},
): Promise<Checked> {
  const seen: Part[] = [];
  const kept = new Map<string, Buffer>();
  await openBackup(file, passphrase, async ({ name, data }) => {
    onPart(name);
    const hash = createHash('sha256');
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of data) {
      hash.update(chunk);
      bytes += chunk.length;
      if (KEPT.includes(name)) chunks.push(Buffer.from(chunk));
    }
    if (KEPT.includes(name)) kept.set(name, Buffer.concat(chunks));
    if (name !== MANIFEST) seen.push({ name, bytes, sha256: hash.digest('hex') });
  });
  const read = manifest.safeParse(JSON.parse(kept.get(MANIFEST)?.toString() ?? 'null'));
  if (!read.success)
    throw new Problem(
      'The backup has no manifest that this release can read: use the release that wrote it.',
    );
  const listed = [...read.data.tables, ...read.data.files];
  const inWords = ({ name, bytes, sha256 }: Part) => `${name} ${bytes} ${sha256}`;
  if (listed.map(inWords).join('\n') !== seen.map(inWords).join('\n'))
    throw new Problem(
      'The parts of the backup are not those of its manifest, so nothing is restored: take another backup.',
    );
  const secrets = kept.get(fileName(SECRETS_FILE));
  return { manifest: read.data, secrets: secrets ? JSON.parse(secrets.toString()) : null };
}
