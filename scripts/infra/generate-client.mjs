import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './run-tool.mjs';

/**
 * Generates the Prisma client when schema.prisma or Prisma itself has changed.
 * @param {{ root: string, logFile: string, isForced?: boolean }} options
 * @returns {Promise<string>} what was done, for the progress line.
 */
export async function generateClient({ root, logFile, isForced = false }) {
  const stamp = join(root, 'prisma', 'generated', '.schema-hash');
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'prisma', 'schema.prisma')))
    .update(readFileSync(join(root, 'node_modules', 'prisma', 'package.json')))
    .digest('hex');
  if (!isForced && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return 'up to date';
  rmSync(stamp, { force: true });
  await runTool({
    what: 'The Prisma client could not be generated',
    command: process.execPath,
    args: [join(root, 'node_modules', 'prisma', 'build', 'index.js'), 'generate'],
    cwd: root,
    logFile,
    env: {
      ...process.env,
      // The CLI insists on a schema engine it does not use here, and would download one: any existing file will do.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  writeFileSync(stamp, hash);
  return 'generated';
}
