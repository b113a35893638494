/**
 * `npm run screenshots [-- --out DIR]`: takes pictures of the main views for the documents, in `docs/images` by
 * default. Starts a product of its own, in a temporary folder, with a sale and a crowd. Takes about three minutes.
 */
import { join, resolve } from 'node:path';
import { readArguments } from '@/tools/harness/arguments';
import { runTool } from '@/tools/harness/run-tool';
import { runScreenshots } from '@/tools/screenshots/run-screenshots';

await runTool(async (args) => {
  const root = join(import.meta.dirname, '..');
  await runScreenshots(root, resolve(root, readArguments('screenshots', args).path('out') ?? 'docs/images'));
  return 0;
});
