import './load-runtime-env';
import { parseArgs } from 'node:util';
import { env } from '@/lib/env';
import { readSetup } from '@/lib/preflight/read-setup';
import { runCommand } from './run-command';

const MARKS = { ok: '✓', warn: '!', stop: '✗' } as const;

/**
 * `npm run preflight [-- --json]`: says what is missing before this shop goes live, as `/admin/setup` does. Exit code 0:
 * nothing; 1: something; 2: it could not be checked.
 */
await runCommand(async () => {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const { ok, checks } = await readSetup();
  const page = new URL('/admin/setup', env().publicUrl).href;
  const lines = checks.map((check) => {
    const mark = MARKS[check.ok ? 'ok' : check.severity];
    const found = check.ok && check.found !== null ? ` (${check.found})` : '';
    return `${mark} ${check.id}: ${check.detail}${found}`;
  });
  const said = values.json
    ? [JSON.stringify({ ok, checks })]
    : [...lines, '', `What to do about each: ${page}`];
  process.stdout.write(`${said.join('\n')}\n`);
  return ok ? 0 : 1;
});
