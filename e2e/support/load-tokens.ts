import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { npmRunAgain } from './commands';

/** Returns one entry token for each of this many load-test users. @param out the file the command writes them to */
export async function loadTokens(saleId: string, users: number, out: string): Promise<string[]> {
  const made = await npmRunAgain('loadtest:tokens', [
    '--sale',
    saleId,
    '--users',
    String(users),
    '--out',
    out,
  ]);
  expect(made.code, made.stderr).toBe(0);
  const lines = readFileSync(out, 'utf8').trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { entryToken: string }).entryToken);
}
