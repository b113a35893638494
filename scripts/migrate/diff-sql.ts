import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { NO_FILTERS, withEngine } from './engine';

const SCHEMA_FILE = resolve(import.meta.dirname, '../../prisma/schema.prisma');

/**
 * The SQL that creates everything schema.prisma describes in an empty database.
 * @param databaseUrl A database that may be connected to; nothing is read from it or written to it.
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
