import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { closeDb, db } from '@/lib/db/client';
import { seedDemo } from '@/lib/demo/seed-demo';
import { openWorkspace } from '@/tools/harness/stack/open-workspace';
import { findBrowser } from '../../scripts/infra/find-browser.mjs';
import { Problem } from '../../scripts/infra/problem.mjs';
import { readRuntime } from '../../scripts/infra/runtime-file.mjs';
import { startForTests } from '../../scripts/infra/start-for-tests.mjs';
import { drawsChinese, openCamera } from './camera';
import { takePictures } from './take-pictures';

/**
 * Takes the pictures, on a product of its own.
 * @param out folder of the pictures
 * @throws Problem without a font for Chinese
 */
export async function runScreenshots(
  root: string,
  out: string,
  say: (line: string) => void = console.log,
): Promise<void> {
  mkdirSync(out, { recursive: true });
  const browser = await chromium.launch({
    executablePath: await findBrowser({ root }),
    args: ['--no-sandbox'],
  });
  if (!(await drawsChinese(browser))) {
    throw new Problem('No font here has Chinese in it: install one, such as the package fonts-noto-cjk.');
  }
  const workspace = openWorkspace('screenshots');
  const dataDir = join(workspace.dir, 'data');
  say('starting a product');
  const product = await startForTests({
    root,
    dataDir,
    // Each person and script has an address of its own, as behind a proxy. This is not a demo.
    env: {
      TRUST_PROXY: '1',
      SECKILL_DEMO: '0',
      ALLOW_SANDBOX_PAYMENTS: '1',
      STAFF_SECOND_FACTOR: '0',
      CONFIRM_AGAIN_MINUTES: '0',
    },
    onSpawn: (pid) => workspace.watch(-pid),
  });
  try {
    // Modules of lib read their settings once, at first use. From here on they use the product's settings.
    Object.assign(process.env, readRuntime(dataDir));
    await seedDemo();
    // Outside a demo, nobody may sign in to demo accounts, so they become ordinary ones.
    await db().user.updateMany({ data: { isDemo: false } });
    await takePictures(product.url, openCamera(browser, product.url, out), say);
  } finally {
    await Promise.allSettled([browser.close(), closeDb()]);
    await product.stop();
    workspace.close();
  }
}
