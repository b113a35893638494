import '@/scripts/load-runtime-env';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { env } from '@/lib/env';
import { createLoadUsers } from '@/lib/load-test/create-load-users';
import { loadTokens } from '@/lib/load-test/load-tokens';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { runCommand } from '@/scripts/run-command';
import { UsageError } from '@/scripts/usage-error';
import { readArguments } from '@/tools/harness/arguments';
import { usageOf } from '../scripts/infra/usages.mjs';

const MAX_USERS = 1_000_000;
const LINES_PER_WRITE = 1000;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Writes entry tokens of N load-test users, one JSON line each: `{userId, entryToken}`. If it can't, prints one
 * sentence and exits with code 2.
 */
async function loadtestTokens(): Promise<number> {
  const given = readArguments('loadtest-tokens', process.argv.slice(2));
  const saleId = given.text('sale');
  const users = given.wholeNumber('users', { from: 1, to: MAX_USERS });
  const out = given.path('out');
  if (!saleId || users === undefined || !out) throw new UsageError(`usage: ${usageOf('loadtest-tokens')}`);
  if (!given.isSet('yes') && !isPlayground()) {
    throw new UsageError(
      'this shop is neither a demo nor on this machine: add --yes to put load-test users into it',
    );
  }
  const sale = await findSaleInfo(saleId);
  if (!sale) throw new UsageError(`there is no published sale ${saleId}`);

  const file = await open(out);
  await createLoadUsers(users);
  await writeLines(file, loadTokens(sale, users));
  process.stdout.write(`${users} tokens for ${saleId} in ${out}\n`);
  return 0;
}

/** Tells whether the database is a demo or on this machine: there some extra users do no harm. */
function isPlayground(): boolean {
  return env().isDemo || LOOPBACK.has(new URL(env().databaseUrl).hostname);
}

/** Opens the file before anything is created, so that a wrong path changes nothing. */
async function open(path: string): Promise<WriteStream> {
  // Each line lets its holder into the sale, so only the file's owner may read it.
  const file = createWriteStream(path, { mode: 0o600 });
  try {
    await once(file, 'open');
    return file;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new UsageError(`${path} cannot be written${code}`);
  }
}

async function writeLines(file: WriteStream, rows: Iterable<object>): Promise<void> {
  let lines: string[] = [];
  for (const row of rows) {
    lines.push(JSON.stringify(row));
    if (lines.length < LINES_PER_WRITE) continue;
    if (!file.write(`${lines.join('\n')}\n`)) await once(file, 'drain');
    lines = [];
  }
  file.end(lines.length > 0 ? `${lines.join('\n')}\n` : '');
  await finished(file);
}

await runCommand(loadtestTokens);
