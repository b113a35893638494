import { randomBytes } from 'node:crypto';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startClusterForTests } from './cluster-for-tests.mjs';
import { anyFreePort } from './ports.mjs';
import { hasEnded } from './processes.mjs';
import { errorsIn, readLog } from './read-log.mjs';
import { startSecondWeb } from './second-web.mjs';
import { startForTests } from './start-for-tests.mjs';

/** The tests keep the processor busy: they want side features all the same, and have time to wait for Postgres and Redis. */
const PATIENT = { SHED_ABOVE: 'off', DATABASE_WAIT_MS: '10000', REDIS_WAIT_MS: '10000' };

/** Other ways to serve, each with the tests that could show a difference; these wait for most of their time. */
const VARIANTS = [
  {
    name: 'without-fast-path',
    env: { SECKILL_FAST_LANE: 'off' },
    forTests: { E2E_FAST_LANE: 'off' },
    files: [
      'e2e/api/contract.spec.ts',
      'e2e/api/purchase.spec.ts',
      'e2e/api/orders.spec.ts',
      'e2e/api/policy.spec.ts',
    ],
  },
  {
    name: 'without-plain-http',
    env: { SECKILL_PLAIN_HTTP: 'off' },
    forTests: {},
    files: [
      'e2e/api/contract.spec.ts',
      'e2e/api/purchase.spec.ts',
      'e2e/api/orders.spec.ts',
      'e2e/api/operations.spec.ts',
      'e2e/api/policy.spec.ts',
      'e2e/page/static.spec.ts',
    ],
  },
  {
    name: 'two-web-processes',
    env: { WEB_CONCURRENCY: '2' },
    forTests: { E2E_WEB_PROCESSES: '2' },
    files: ['e2e/api/purchase.spec.ts', 'e2e/api/sales.spec.ts', 'e2e/page/static.spec.ts'],
  },
  {
    name: 'other-names',
    // Browsers find every name under localhost on this machine.
    env: (port) => ({
      PURCHASE_ORIGIN: `http://buy.localhost:${port}`,
      ASSET_ORIGIN: `http://static.localhost:${port}`,
    }),
    forTests: { E2E_OTHER_NAMES: '1' },
    files: ['e2e/page/other-names.spec.ts'],
  },
];

/** They wait for most of their time; more at a time would wait for each other. */
const AT_A_TIME = 3;

/** What is tested on a cluster in every run. `E2E_REDIS=cluster` tests all, or the files named, on one. */
const ON_CLUSTER = ['e2e/api/race.spec.ts', 'e2e/api/purchase.spec.ts'];

/** What is tested on a shop outside the demo, to which nobody has come yet. */
const FIRST_RUN = 'e2e/page/first-run.spec.ts';

/**
 * Tests the real product from its own `npm start` with a browser in front of it, then the other ways to serve, then
 * how it stops and survives. With `e2eFiles` it runs only those, also for the other ways.
 */
export async function endToEnd({ root, bin, temp, browser, runner, tally, cleanUp, reaper, e2eFiles, show }) {
  const startCluster = () =>
    startClusterForTests({
      root,
      onSpawn(child) {
        cleanUp.add(() => hasEnded(child) || child.kill('SIGTERM'));
        reaper.watch(child.pid);
      },
    });
  /** @param {number} [port] any that is free unless given */
  const startProduct = (name, env = {}, port) =>
    startForTests({
      root,
      port,
      dataDir: join(temp, name),
      // Higher than anything the other tests do.
      env: {
        APPROVAL_STOCK_UNITS: '10000',
        APPROVAL_REFUND_MINOR: '1000000',
        // The tests run a push service and receivers of webhooks of their own.
        PUSH_PRIVATE: '1',
        SALE_WEBHOOK_PRIVATE: '1',
        ...PATIENT,
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
  const openId = await startOpenId(port);
  const product = await show.step('Product', () =>
    startProduct('product', { ...openId.env, ...(cluster ? { REDIS_URL: cluster.url } : {}) }, port),
  );
  const { dataDir } = product;
  /** @param {(output: string) => void} [atEnd] gets all output when the run has ended */
  const run = async (name, url, args, env = {}, atEnd) => {
    const report = join(temp, `${name}.json`);
    const isOk = await runner.node(
      [
        bin('@playwright', 'test', 'cli.js'),
        'test',
        '--reporter=list,json',
        // A folder of its own: each run empties it first.
        `--output=${join(root, 'test-results', name)}`,
        ...args,
      ],
      {
        E2E_BASE_URL: url,
        E2E_BROWSER: browser.headless,
        E2E_BROWSER_WITH_SETTINGS: browser.full,
        E2E_DATA_DIR: dataDir,
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
        ...env,
      },
      atEnd,
    );
    tally.playwright(report, isOk);
    return isOk;
  };
  const runProjects = (name, projects) =>
    run(name, product.url, [
      ...projects.map((project) => `--project=${project}`),
      // The files asked for may all be of other projects.
      ...(e2eFiles.length > 0 ? ['--pass-with-no-tests'] : []),
      ...e2eFiles,
    ]);
  const areOk = [
    await runProjects('playwright', ['phone', 'desktop', 'api']),
    await runProjects('measured', ['measured']),
  ];
  /** Tests a product of its own whose Redis is a cluster. */
  const testOnCluster = async (files) => {
    const servers = await startCluster();
    const shop = await startProduct('on-a-cluster', { REDIS_URL: servers.url });
    const isOk = await run(
      'on-a-cluster',
      shop.url,
      ['--workers=1', '--project=api', ...files],
      { E2E_DATA_DIR: shop.dataDir },
      (output) => show.line(`\n  on a cluster\n${output}`),
    );
    const { isClean } = await shop.stop();
    await servers.stop();
    tally.check('the product on a cluster stops cleanly', isClean);
    return isOk && isClean;
  };
  /** Tests a product of its own that is no demo, from the link for its first admin on. */
  const testFirstRun = async () => {
    const shop = await startProduct('first-run', {
      SECKILL_DEMO: '0',
      ALLOW_SANDBOX_PAYMENTS: '1',
      SECKILL_ADMIN_EMAIL: 'ann@example.com',
      SECKILL_HOST: '127.0.0.1',
    });
    const isOk = await run(
      'first-run',
      shop.url,
      ['--workers=1', '--project=desktop', FIRST_RUN],
      {
        E2E_DATA_DIR: shop.dataDir,
        E2E_FIRST_ADMIN_LINK: /^ *(http\S+\/invite#\S+)$/m.exec(shop.output())?.[1] ?? '',
      },
      (output) => show.line(`\n  the first run of a shop\n${output}`),
    );
    const { isClean } = await shop.stop();
    tally.check('the product of the first run stops cleanly', isClean);
    return isOk && isClean;
  };
  const isWanted = (file) => e2eFiles.length === 0 || e2eFiles.some((one) => one.endsWith(file));
  const wanted = VARIANTS.map((variant) => ({ ...variant, files: variant.files.filter(isWanted) })).filter(
    ({ files }) => files.length > 0,
  );
  const testVariant = ({ name, env, forTests, files }) =>
    runVariant({ root, dataDir, name, env, show, cleanUp, reaper, tally }, (url) =>
      run(
        name,
        url,
        ['--workers=1', '--project=api', '--project=desktop', ...files],
        { ...forTests, E2E_SECOND_WEB: '1' },
        (output) => show.line(`\n  ${name.replaceAll('-', ' ')}\n${output}`),
      ),
    );
  const onCluster = isOnCluster ? [] : ON_CLUSTER.filter(isWanted);
  const others = [
    ...wanted.map((variant) => () => testVariant(variant)),
    ...(onCluster.length > 0 ? [() => testOnCluster(onCluster)] : []),
    ...(isWanted(FIRST_RUN) ? [testFirstRun] : []),
  ];
  const runNext = async () => {
    for (let test = others.shift(); test; test = others.shift()) areOk.push(await test());
  };
  if (others.length > 0)
    await show.step('Other ways to serve, some at a time', () =>
      Promise.all(Array.from({ length: AT_A_TIME }, runNext)),
    );
  if (areOk.includes(false)) {
    const kept = join(root, 'test-results', 'product-logs');
    cpSync(join(dataDir, 'logs'), kept, { recursive: true });
    show.line(`  The product's logs are kept in ${kept}`);
    tally.note(
      `the product's log`,
      readdirSync(kept).flatMap((file) => errorsIn(readLog(join(kept, file)))),
    );
  }
  let { isClean, seconds, said } = await product.stop();
  // A busy machine only makes a stop slower: one of five has to be quick.
  for (let more = 4; isClean && seconds > 10 && more > 0; more -= 1) {
    const again = await startProduct('product', {}, port);
    ({ isClean, seconds, said } = await again.stop());
  }
  show.line(`  Product ${isClean ? 'stopped' : 'did not stop'} cleanly in ${seconds.toFixed(1)} s`);
  if (!isClean) show.line(said);
  tally.check('the product stops cleanly within 10 s', isClean && seconds <= 10);
  await cluster?.stop();
  await openId.server.close();
  if (e2eFiles.length > 0) return;
  const system = join(temp, 'system.json');
  const isSystemOk = await runner.node(
    [
      bin('vitest', 'vitest.mjs'),
      'run',
      '--project=system',
      '--project=image',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${system}`,
    ],
    { SECKILL_TEST_DATA_DIR: dataDir },
  );
  tally.vitest(system, isSystemOk);
}

/** Starts a server that signs people in by OpenID Connect, for the product at a port. */
async function startOpenId(port) {
  // Not at the top: its packages are there for tests alone.
  const { startOpenIdServer } = await import('../../test/support/start-openid-server.mjs');
  const client = { clientId: 'shop', clientSecret: randomBytes(24).toString('base64url') };
  const redirectUris = [`http://localhost:${port}/api/auth/callback/openid`];
  const server = await startOpenIdServer({ ...client, redirectUris });
  return {
    server,
    env: {
      OIDC_ISSUER: server.issuer,
      OIDC_CLIENT_ID: client.clientId,
      OIDC_CLIENT_SECRET: client.clientSecret,
      OIDC_NAME: 'Example Login',
    },
  };
}

/** Starts one more web process, runs the tests against it, and checks that it ends cleanly. */
async function runVariant({ root, dataDir, name, env, show, cleanUp, reaper, tally }, test) {
  const web = await startSecondWeb({
    root,
    dataDir,
    name,
    env: (port) => ({ ...PATIENT, ...(typeof env === 'function' ? env(port) : env) }),
    onSpawn(child) {
      cleanUp.add(() => hasEnded(child) || child.kill('SIGKILL'));
      reaper.watch(child.pid);
    },
  });
  const isOk = await test(web.url);
  const isClean = await web.stop();
  if (!isClean) show.line(`  The web process (${name}) did not stop cleanly`);
  tally.check(`the web process (${name}) stops cleanly`, isClean);
  return isOk && isClean;
}
