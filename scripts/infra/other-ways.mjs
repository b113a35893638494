import { filesByWay } from './files-by-way.mjs';
import { anyFreePort } from './ports.mjs';
import { hasEnded } from './processes.mjs';
import { startSecondWeb } from './second-web.mjs';

/** Other ways to serve, by another web process beside the product's own. */
const VARIANTS = [
  {
    name: 'without-fast-path',
    env: { SECKILL_FAST_LANE: 'off' },
    forTests: {},
  },
  {
    name: 'without-plain-http',
    env: { SECKILL_PLAIN_HTTP: 'off' },
    forTests: {},
  },
  {
    name: 'two-web-processes',
    env: { WEB_CONCURRENCY: '2' },
    forTests: { E2E_WEB_PROCESSES: '2' },
  },
  {
    name: 'other-names',
    // Browsers find every name under localhost on this machine.
    env: (port) => ({
      PURCHASE_ORIGIN: `http://buy.localhost:${port}`,
      ASSET_ORIGIN: `http://static.localhost:${port}`,
    }),
    forTests: { E2E_OTHER_NAMES: '1' },
  },
];

/** They wait for most of their time; more at a time would wait for each other. */
const AT_A_TIME = 3;

/** A product of its own on a Redis cluster. `E2E_REDIS=cluster` tests all, or the files named, on one. */
const ON_CLUSTER = 'on-a-cluster';

/** A product of its own outside the demo, empty, which takes payments by a stand-in of Stripe that the story starts. */
const OUTSIDE_DEMO = {
  name: 'outside-the-demo',
  env: (stripePort) => ({
    SECKILL_DEMO: '0',
    ALLOW_SANDBOX_PAYMENTS: '1',
    STRIPE_API_URL: `http://127.0.0.1:${stripePort}`,
    // As in `stripe-stand-in.ts`.
    STRIPE_SECRET_KEY: 'sk_test_aStandInOnThisMachine',
    STRIPE_WEBHOOK_SECRET: 'whsec_aStandInOnThisMachine0123',
  }),
  forTests: ({ dataDir }, stripePort) => ({
    E2E_DATA_DIR: dataDir,
    E2E_STRIPE_PORT: String(stripePort),
    // The stand-in is part of the server's code.
    NODE_OPTIONS: '--conditions=react-server',
  }),
};

/** @param {string[]} e2eFiles those asked for; none: all @returns {boolean} whether the story is among them */
export const isStoryWanted = (e2eFiles) =>
  e2eFiles.length === 0 || e2eFiles.some((file) => file.includes('e2e/story'));

/**
 * Tests every other way to serve with those of the files asked for that want it (`files-by-way.mjs`).
 * @param {{ shop: { root: string, dataDir: string, settings: Record<string, string>, isOnCluster: boolean, startCluster: Function,
 *   startProduct: Function }, run: Function, e2eFiles: string[], tally: any, cleanUp: any, reaper: any, show: any }} options from `endToEnd`
 * @returns {Promise<boolean>} whether no test failed, not even once
 */
export async function testOtherWays({ shop, run, e2eFiles, tally, cleanUp, reaper, show }) {
  const byWay = filesByWay(shop.root, [...VARIANTS.map(({ name }) => name), ON_CLUSTER]);
  const isWanted = (file) => e2eFiles.length === 0 || e2eFiles.some((one) => one.endsWith(file));
  /** Starts one more web process, runs the tests against it, and checks that it ends cleanly. */
  const testVariant = async ({ name, env, forTests, files }) => {
    const web = await startSecondWeb({
      root: shop.root,
      dataDir: shop.dataDir,
      name,
      env: (port) => ({ ...shop.settings, ...(typeof env === 'function' ? env(port) : env) }),
      onSpawn(child) {
        cleanUp.add(() => hasEnded(child) || child.kill('SIGKILL'));
        reaper.watch(child.pid);
      },
    });
    const wasCalm = await run(
      name,
      web.url,
      ['--workers=1', '--project=api', '--project=desktop', ...files],
      { ...forTests, E2E_SECOND_WEB: '1' },
      (output) => show.line(`\n  ${name.replaceAll('-', ' ')}\n${output}`),
    );
    const isClean = await web.stop();
    tally.check(`the web process (${name}) stops cleanly`, isClean);
    return wasCalm && isClean;
  };
  /** Tests a product of its own whose Redis is a cluster. */
  const testOnCluster = async (files) => {
    const servers = await shop.startCluster();
    const product = await shop.startProduct(ON_CLUSTER, { REDIS_URL: servers.url });
    const wasCalm = await run(
      ON_CLUSTER,
      product.url,
      ['--workers=1', '--project=api', ...files],
      { E2E_DATA_DIR: product.dataDir },
      (output) => show.line(`\n  on a cluster\n${output}`),
    );
    const { isClean, said } = await product.stop();
    await servers.stop();
    tally.check('the product on a cluster stops cleanly', isClean, said);
    return wasCalm && isClean;
  };
  /** Tells the story of a shop that begins empty. */
  const tellStory = async () => {
    const { name, env, forTests } = OUTSIDE_DEMO;
    const stripePort = await anyFreePort();
    const product = await shop.startProduct(name, env(stripePort));
    const wasCalm = await run(
      name,
      product.url,
      ['--project=story'],
      forTests(product, stripePort),
      (output) => show.line(`\n  outside the demo\n${output}`),
    );
    const { isClean, said } = await product.stop();
    tally.check('the product outside the demo stops cleanly', isClean, said);
    return wasCalm && isClean;
  };
  const variants = VARIANTS.map((variant) => ({
    ...variant,
    files: byWay.get(variant.name).filter(isWanted),
  })).filter((variant) => variant.files.length > 0);
  const onCluster = shop.isOnCluster ? [] : byWay.get(ON_CLUSTER).filter(isWanted);
  // Those that need a product of their own take longest.
  const left = [
    ...(isStoryWanted(e2eFiles) ? [tellStory] : []),
    ...(onCluster.length > 0 ? [() => testOnCluster(onCluster)] : []),
    ...variants.map((variant) => () => testVariant(variant)),
  ];
  if (left.length === 0) return true;
  const wereCalm = [];
  const runNext = async () => {
    for (let test = left.shift(); test; test = left.shift()) wereCalm.push(await test());
  };
  await show.step('Other ways to serve, some at a time', () =>
    Promise.all(Array.from({ length: AT_A_TIME }, runNext)),
  );
  return !wereCalm.includes(false);
}
