import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateClient } from './infra/generate-client.mjs';
import { Problem } from './infra/problem.mjs';
import { checkUsage } from './infra/usages.mjs';

checkUsage('generate', process.argv.slice(2));

/** `npm run generate`: generates the Prisma client from prisma/schema.prisma, without a network. */
const logs = mkdtempSync(join(tmpdir(), 'seckill-generate-'));
try {
  const root = join(import.meta.dirname, '..');
  await generateClient({ root, logFile: join(logs, 'generate.log'), isForced: true });
  rmSync(logs, { recursive: true, force: true });
  console.log('The Prisma client is in prisma/generated.');
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
