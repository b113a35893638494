import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { NO_FILTERS, withEngine } from '../engine';

const SCHEMA_FILE = resolve(import.meta.dirname, '../../../prisma/schema.prisma');

/**
 * Returns the SQL that creates everything schema.prisma describes in an empty database.
 * @param databaseUrl Any database it can connect to; it reads and writes nothing there.
 */
export async function diffSql(databaseUrl: string, schemaFile = SCHEMA_FILE): Promise<string> {
  const content = await readFile(schemaFile, 'utf8');
  return withEngine(databaseUrl, async (engine) => {
    const result = await engine.diff({
      from: { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] },
      script: true,
      exitCode: null,
      filters: NO_FILTERS,
    });
    return result.stdout ?? '';
  });
}
