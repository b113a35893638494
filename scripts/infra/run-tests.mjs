import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cleanEnv } from './clean-env.mjs';
import { endToEnd } from './end-to-end.mjs';
import { ensureDependencies } from './ensure-dependencies.mjs';
import { findBrowser, findHeadlessShell, findInstalledBrowser } from './find-browser.mjs';
import { ensureRedis } from './find-server.mjs';
import { generateClient } from './generate-client.mjs';
import { Problem } from './problem.mjs';
import { hasEnded, stopChild } from './processes.mjs';
import { progress } from './progress.mjs';
import { startReaper } from './reaper.mjs';
import { stopPrograms } from './run-to-end.mjs';
import { createTally } from './tally.mjs';
import { whatToTest } from './what-to-test.mjs';
import { withCheckoutLock } from './with-checkout-lock.mjs';

const root = resolve(import.meta.dirname, '../..');
const bin = (...path) => join(root, 'node_modules', ...path);

/**
 * Runs the whole of `npm test`.
 * @param {string[]} argv `--unit`: no browser and no product; `--e2e`: nothing else; anything else names test files.
 */
export async function runTests(argv) {
  const asked = askedFor(argv);
  const tally = createTally();
  const cleanUp = createCleanUp();
  const temp = mkdtempSync(join(tmpdir(), 'seckill-run-'));
  chmodSync(temp, 0o711);
  const reaper = startReaper(temp);
  cleanUp.add(() => reaper.dismiss());
  cleanUp.add(() => rmSync(temp, { recursive: true, force: true }));
  cleanUp.add(() => stopPrograms());
  const runner = createRunner(cleanUp);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => void cleanUp.run().then(() => process.exit(130)));
  }
  try {
    await prepare({ temp, runner, tally, cleanUp, reaper, ...asked });
  } catch (error) {
    const said = error instanceof Problem ? error.message : error.stack;
    tally.check(said, false);
    console.error(`\n${said}`);
  }
  await cleanUp.run();
  const { passed, failed } = tally.total;
  if (tally.failures.length > 0)
    console.log(`\nFailed:\n${tally.failures.map((one) => `  ${one}`).join('\n')}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}

/** Reports wrong arguments and ends, before there is anything to clean up. */
function askedFor(argv) {
  try {
    return whatToTest(argv);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

async function prepare({ temp, wants, runner, tally, cleanUp, reaper, codeFiles, e2eFiles }) {
  const show = progress();
  // Checks first for what the machine may lack, before steps that take minutes.
  if (wants.code || wants.e2e)
    await show.step('Redis server', async (note, wait) => note(await ensureRedis({ wait })));
  let headlessShell;
  if (wants.e2e) {
    await show.step('Browser', async (note, wait) =>
      note((await findInstalledBrowser({ wait })) ?? "none but Playwright's own, or its download"),
    );
    await show.step('Headless shell', async (note, wait) => {
      headlessShell = await findHeadlessShell({ wait });
      note(headlessShell ?? 'none; the browser is used instead, with twice the processor time');
    });
  }
  await show.step('Dependencies', async (note, wait) => note(await ensureDependencies(root, { wait })));
  await show.step('Prisma client', async (note, wait) =>
    note(await generateClient({ root, logFile: join(temp, 'generate.log'), wait })),
  );
  const browser = wants.e2e
    ? await show.step("Playwright's browser", async (note, wait) => {
        const path = await findBrowser({ root, wait });
        note(path);
        return { full: path, headless: headlessShell ?? path };
      })
    : undefined;

  if (wants.checks) {
    show.line('\nTypes and style');
    // A build at the same time would replace the types being read.
    const hasGoodTypes = await withCheckoutLock(
      root,
      async () =>
        (await runner.node([bin('next', 'dist', 'bin', 'next'), 'typegen'])) &&
        (await runner.node([bin('typescript', 'bin', 'tsc'), '--noEmit'])) &&
        (await runner.node([bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'tsconfig.scripts.json'])),
    );
    tally.check('types', hasGoodTypes);
    tally.check('style', await runner.node([bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '.']));
  }
  if (wants.code) {
    show.line('\nUnit and integration tests');
    const report = join(temp, 'vitest.json');
    const isSystem = codeFiles.some((file) => file.includes('.system.test.'));
    const projects = isSystem
      ? ['system', 'image']
      : ['unit', 'replacing', 'integration', 'replacing-with-servers', 'quiet'];
    const isOk = await runner.node([
      bin('vitest', 'vitest.mjs'),
      'run',
      ...projects.map((name) => `--project=${name}`),
      ...jsonReport(report),
      ...codeFiles,
    ]);
    tally.vitest(report, isOk);
  }
  if (wants.e2e) {
    show.line('\nEnd to end');
    await endToEnd({ root, bin, temp, browser, runner, tally, cleanUp, reaper, e2eFiles, show });
  }
}

const jsonReport = (file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];

function createRunner(cleanUp) {
  return {
    /**
     * Runs one of our tools and shows its output as it comes; or hands `atEnd` the whole of it, for tools that run side
     * by side.
     * @param {string[]} args @param {Record<string, string>} [extra] @param {(output: string) => void} [atEnd]
     * @returns {Promise<boolean>} whether it succeeded.
     */
    node: (args, extra = {}, atEnd = undefined) =>
      new Promise((done) => {
        const env = cleanEnv(process.env, { CI: '1', NEXT_TELEMETRY_DISABLED: '1', ...extra });
        const output = atEnd ? 'pipe' : 'inherit';
        const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', output, output] });
        const forget = cleanUp.add(() => (hasEnded(child) ? undefined : stopChild(child)));
        let said = '';
        for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text));
        child.once('close', () => atEnd?.(said));
        child.once('error', () => done(false));
        child.once('exit', (code) => {
          forget();
          done(code === 0);
        });
      }),
  };
}

/** Collects clean-up steps and runs them once, in reverse order. */
function createCleanUp() {
  const actions = new Set();
  let running;
  return {
    add(action) {
      actions.add(action);
      return () => actions.delete(action);
    },
    run() {
      running ??= (async () => {
        for (const action of [...actions].reverse()) {
          await Promise.resolve()
            .then(action)
            .catch((error) => console.error(error));
        }
      })();
      return running;
    },
  };
}
