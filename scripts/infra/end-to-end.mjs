import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { startClusterForTests } from './cluster-for-tests.mjs';
import { isStoryWanted, testOtherWays } from './other-ways.mjs';
import { watchOthers } from './others-share.mjs';
import { anyFreePort } from './ports.mjs';
import { hasEnded } from './processes.mjs';
import { startForTests } from './start-for-tests.mjs';

/** The tests keep the processor busy, and want side features all the same. */
const NOTHING_GOES = { SHED_ABOVE: 'off' };

/**
 * Tests the real product from its own `npm start` with a browser in front of it; with `all` also what takes long, the bounds
 * on time and the other ways to serve. With `e2eFiles` it runs only those. `E2E_REDIS=cluster` tests a product on a Redis cluster.
 * @param {{ root: string, bin: (...path: string[]) => string, temp: string, browser: { full: string, headless: string },
 *   runner: any, tally: ReturnType<import('./tally.mjs').createTally>, cleanUp: any, reaper: any, e2eFiles: string[], all:
 *   boolean, kept: string, show: ReturnType<import('./progress.mjs').progress> }} options `kept`: the folder for logs
 *   that explain a failure
 * @returns {Promise<{ dataDir: string }>} where the product had its data
 */
export async function endToEnd(options) {
  const { root, temp, tally, cleanUp, reaper, e2eFiles, all, kept, show } = options;
  const startCluster = () =>
    startClusterForTests({
      root,
      onSpawn(child) {
        cleanUp.add(() => hasEnded(child) || child.kill('SIGTERM'));
        reaper.watch(child.pid);
      },
    });
  const isAsked = (part) => all || e2eFiles.some((file) => file.includes(part));
  // Tests judged by a clock hold the product to its usual limits.
  const patience = isAsked('.timed.') ? '1' : '5';
  const startProduct = (name, env = {}, port = undefined) =>
    startForTests({
      root,
      dataDir: join(temp, name),
      port,
      // Higher than anything the other tests do.
      env: {
        APPROVAL_STOCK_UNITS: '10000',
        APPROVAL_REFUND_MINOR: '1000000',
        SECKILL_PATIENCE: patience,
        ...NOTHING_GOES,
        ...env,
      },
      onSpawn(pid, kill) {
        cleanUp.add(kill);
        reaper.watch(-pid);
      },
    });
  const isOnCluster = process.env.E2E_REDIS === 'cluster';
  const cluster = isOnCluster ? await show.step('Redis cluster', startCluster) : null;
  const port = await anyFreePort();
  const signInServer = await startSignInServer(port);
  const product = await show.step('Product', () =>
    startProduct('product', { ...signInServer.env, ...(cluster ? { REDIS_URL: cluster.url } : {}) }, port),
  );
  const { dataDir } = product;
  const run = testsWith(options, dataDir);
  const runProjects = (name, projects) =>
    run(name, product.url, [
      ...projects.map((project) => `--project=${project}`),
      // The files asked for may all be of other projects.
      ...(e2eFiles.length > 0 ? ['--pass-with-no-tests'] : []),
      ...e2eFiles,
    ]);
  const long = isAsked('.long.') ? ['long', 'long-phone', 'shop-on-desktop'] : [];
  const wereCalm = [await runProjects('playwright', ['phone', 'desktop', 'api', ...long])];
  // After the others, which would take the processor from it.
  if (isAsked('.timed.')) wereCalm.push(await runProjects('timed', ['timed']));
  if (all || (e2eFiles.length > 0 && isStoryWanted(e2eFiles))) {
    const shop = { root, dataDir, settings: NOTHING_GOES, isOnCluster, startCluster, startProduct };
    wereCalm.push(await testOtherWays({ shop, run, e2eFiles, tally, cleanUp, reaper, show }));
  }
  const { isClean, seconds, said } = await product.stop();
  show.line(`  Product ${isClean ? 'stopped' : 'did not stop'} cleanly in ${seconds.toFixed(1)} s`);
  tally.check('the product stops cleanly and leaves nothing running', isClean, said);
  await Promise.all([cluster?.stop(), signInServer.close()]);
  if (wereCalm.includes(false) || !isClean) {
    cpSync(join(dataDir, 'logs'), join(kept, 'product-logs'), { recursive: true });
    show.line(`  The product's logs are kept in ${join(kept, 'product-logs')}`);
  }
  return { dataDir };
}

/** Starts a server that signs people in by OpenID Connect, for the product at a port. */
async function startSignInServer(port) {
  // Not at the top: its packages are there for tests alone.
  const { startOpenIdServer } = await import('./openid-server-for-tests.mjs');
  const client = { clientId: 'shop', clientSecret: randomBytes(24).toString('base64url') };
  const redirectUris = [`http://localhost:${port}/api/auth/callback/openid`];
  const { issuer, close } = await startOpenIdServer({ ...client, redirectUris });
  const env = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.clientId,
    OIDC_CLIENT_SECRET: client.clientSecret,
    OIDC_NAME: 'Example Login',
  };
  return { env, close };
}

/** Returns a function that runs some tests against a product, and whether no test failed, not even once. */
function testsWith({ bin, temp, browser, runner, tally, kept, all, e2eFiles }, dataDir) {
  return async (name, url, args, env = {}, atEnd = undefined) => {
    const report = join(temp, `${name}.json`);
    const othersShare = watchOthers();
    const isOk = await runner.node(
      [
        bin('@playwright', 'test', 'cli.js'),
        'test',
        '--reporter=list,json',
        // A folder of its own: each run empties it first.
        `--output=${join(kept, name)}`,
        ...args,
      ],
      {
        E2E_BASE_URL: url,
        E2E_BROWSER: browser.headless,
        E2E_BROWSER_WITH_SETTINGS: browser.full,
        E2E_DATA_DIR: dataDir,
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
        // A file that is named runs whole.
        ...(all || e2eFiles.length > 0 ? { E2E_LONG: '1' } : {}),
        ...env,
      },
      atEnd,
    );
    return tally.playwright({ report, isOk, othersShare: othersShare() });
  };
}
