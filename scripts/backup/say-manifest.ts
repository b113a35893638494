import { SECRETS_FILE } from './list-files';
import { fileName, type Manifest } from './manifest';

/** Writes a number of bytes for people. */
export const size = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** Says, line by line, what is in a backup. */
export function listParts({ takenAt, productVersion, migrations, tables, files }: Manifest): string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const others = files.filter(({ name }) => name !== fileName(SECRETS_FILE));
  const fullest = tables.toSorted((a, b) => b.rows - a.rows).slice(0, 5);
  return [
    `taken at ${takenAt}, release ${productVersion}, migrations up to ${migrations.at(-1)}`,
    `${rows} rows of ${tables.length} tables, ${size(bytes)}: ${fullest.map((table) => `${table.rows} in ${table.table}`).join(', ')}, …`,
    others.length === files.length
      ? 'no secrets: those of your own variables are not in it'
      : 'the secrets of the data directory',
    `${others.length} other files, ${size(others.reduce((sum, file) => sum + file.bytes, 0))}`,
  ];
}
