/**
 * `npm run screenshots [-- --out DIR]`: pictures of the main views for the documents, `docs/images` unless said otherwise. The
 * product is one of its own, in a temporary folder, with a sale and a crowd. Takes some three minutes.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { seedDemo } from '@/lib/admin/demo/seed-demo';
import { closeDb, db } from '@/lib/db/client';
import { drawsChinese, openCamera } from '@/tools/screenshots/camera';
import { takePictures } from '@/tools/screenshots/take-pictures';
import { findBrowser } from '../scripts/infra/find-browser.mjs';
import { startReaper } from '../scripts/infra/reaper.mjs';
import { readRuntime } from '../scripts/infra/runtime-file.mjs';
import { startForTests } from '../scripts/infra/start-for-tests.mjs';
import { usageOf } from '../scripts/infra/usages.mjs';

const root = join(import.meta.dirname, '..');

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const out = resolve(root, readOut());
mkdirSync(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: await findBrowser({ root }),
  args: ['--no-sandbox'],
});
if (!(await drawsChinese(browser))) {
  console.error('There is no font with Chinese in it: install one, such as the package fonts-noto-cjk.');
  process.exit(1);
}
const temp = mkdtempSync(join(tmpdir(), 'seckill-screenshots-'));
// A Postgres started by root runs as somebody else.
chmodSync(temp, 0o711);
const reaper = startReaper(temp);
const dataDir = join(temp, 'data');
console.log('starting a product');
const product = await startForTests({
  root,
  dataDir,
  // People and scripts have addresses of their own, as behind a proxy, where there is no demo.
  env: { TRUST_PROXY: '1', SECKILL_DEMO: '0', ALLOW_SANDBOX_PAYMENTS: '1' },
  onSpawn: (pid) => void reaper.watch(-pid),
});
try {
  // What is imported from lib reads its settings once, at first use: from here on they are the product's.
  Object.assign(process.env, readRuntime(dataDir));
  await seedDemo();
  // Outside a demo its accounts are nobody's.
  await db().user.updateMany({ data: { isDemo: false } });
  await takePictures(product.url, openCamera(browser, product.url, out), console.log);
} finally {
  await Promise.allSettled([browser.close(), closeDb()]);
  await product.stop();
  rmSync(temp, { recursive: true, force: true });
  reaper.dismiss();
}

function readOut(): string {
  try {
    return parseArgs({ options: { out: { type: 'string', default: 'docs/images' } } }).values.out;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error} (${usageOf('screenshots')})`);
    process.exit(2);
  }
}
