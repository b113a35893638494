import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { changedFiles } from './changed-files.mjs';
import { checkNames } from './check-names.mjs';
import { cleanEnv } from './clean-env.mjs';
import { endToEnd } from './end-to-end.mjs';
import { ensureDependencies } from './ensure-dependencies.mjs';
import { findBrowser, findHeadlessShell, findInstalledBrowser } from './find-browser.mjs';
import { ensureRedisForTests } from './find-server.mjs';
import { generateClient } from './generate-client.mjs';
import { Problem } from './problem.mjs';
import { killGroup, stopChild, whenEnded } from './processes.mjs';
import { progress } from './progress.mjs';
import { startReaper } from './reaper.mjs';
import { stopPrograms } from './run-to-end.mjs';
import { runVitest } from './run-vitest.mjs';
import { createTally } from './tally.mjs';
import { SYSTEM, whatToTest } from './what-to-test.mjs';
import { withCheckoutLock } from './with-checkout-lock.mjs';

const root = resolve(import.meta.dirname, '../..');
const bin = (...path) => join(root, 'node_modules', ...path);

/** The folder of everything that explains a failure. */
const KEPT = join(root, 'test-results');
/** All output of the runners. */
const OUTPUT = join(KEPT, 'output.log');
/** How long to wait for a tool's last output after it has ended. */
const OUTPUT_GRACE_MS = 10_000;

/**
 * Runs `npm test`, the gate, or with `--all` everything there is.
 * @param {string[]} argv see `whatToTest`
 */
export async function runTests(argv) {
  const asked = askedFor(argv);
  const tally = createTally(root);
  const cleanUp = createCleanUp();
  const temp = mkdtempSync(join(tmpdir(), 'seckill-run-'));
  mkdirSync(KEPT, { recursive: true });
  rmSync(OUTPUT, { force: true });
  chmodSync(temp, 0o711);
  const reaper = startReaper(temp);
  cleanUp.add(() => reaper.dismiss());
  cleanUp.add(() => rmSync(temp, { recursive: true, force: true }));
  cleanUp.add(() => stopPrograms());
  const runner = createRunner(cleanUp, reaper);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => void cleanUp.run().then(endInterrupted));
  }
  try {
    await prepare({ temp, runner, tally, cleanUp, reaper, ...asked });
  } catch (error) {
    const said = error instanceof Problem ? error.message : error.stack;
    tally.check('the run', false, said);
    console.error(`\n${said}`);
  }
  await cleanUp.run();
  const { passed, failed } = tally.total;
  const summary = tally.summary();
  if (summary)
    console.log(
      `\n${summary}\n\nAll output is in ${OUTPUT}; the product's logs are in ${join(KEPT, 'product-logs')}.`,
    );
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}

function endInterrupted() {
  console.error('\nThe run was interrupted. All that it had started has ended.');
  process.exit(130);
}

/** Reports wrong arguments and ends, before there is anything to clean up. */
function askedFor(argv) {
  try {
    const asked = whatToTest(argv, (revision) => changedFiles(root, revision));
    if (asked.isRelated) return asked;
    // A folder named for Playwright stays one: its long tests run when they are named themselves.
    checkNames(root, asked.e2eFiles);
    return { ...asked, codeFiles: checkNames(root, asked.codeFiles) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

async function prepare({
  temp,
  wants,
  runner,
  tally,
  cleanUp,
  reaper,
  projects,
  codeFiles,
  isRelated,
  e2eFiles,
}) {
  const show = progress();
  // Checks first for what the machine may lack, before steps that take minutes.
  if (wants.code || wants.e2e)
    await show.step('Redis server', async (note, wait) => note(await ensureRedisForTests({ wait })));
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

  const common = { root, bin, temp, runner, tally, show };
  // Side by side: the checks have use for one processor alone.
  const checks = wants.checks ? checkTypesAndStyle(common) : undefined;
  if (wants.code) {
    show.line('\nUnit and integration tests');
    // Random tests try more in the second tier.
    const env = wants.all && !process.env.TEST_CASES ? { TEST_CASES: '2' } : {};
    await runVitest({ ...common, name: 'code', projects, files: codeFiles, isRelated, env });
  }
  await checks;
  if (!wants.e2e) return;
  show.line('\nEnd to end');
  const { dataDir } = await endToEnd({
    ...common,
    browser,
    cleanUp,
    reaper,
    e2eFiles,
    all: wants.all,
    kept: KEPT,
  });
  if (!wants.system) return;
  show.line('\nThe product as a whole');
  const env = { SECKILL_TEST_DATA_DIR: dataDir };
  await runVitest({ ...common, name: 'system', projects: SYSTEM, env });
}

async function checkTypesAndStyle({ runner, tally, show }) {
  const run = (...args) => runner.node(args, {}, (output) => show.line(`\nTypes and style\n${output}`));
  // A build at the same time would replace the types being read.
  const hasGoodTypes = await withCheckoutLock(
    root,
    async () =>
      (await run(bin('next', 'dist', 'bin', 'next'), 'typegen')) &&
      (await run(bin('typescript', 'bin', 'tsc'), '--noEmit')),
  );
  tally.check('types', hasGoodTypes);
  tally.check('style', await run(bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '.'));
}

/** Appends to `OUTPUT`. */
function keep(text) {
  try {
    appendFileSync(OUTPUT, text);
  } catch {
    // The disk is full; the step that needs room says so.
  }
}

function createRunner(cleanUp, reaper) {
  return {
    /**
     * Runs one of our tools, keeps its output and shows it as it comes; or hands `atEnd` the whole of it, for tools that
     * run side by side. Ends whatever the tool leaves running.
     * @param {string[]} args @param {Record<string, string>} [extra] @param {(output: string) => void} [atEnd]
     * @returns {Promise<boolean>} whether it succeeded.
     */
    node: (args, extra = {}, atEnd = undefined) =>
      new Promise((done) => {
        const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
        const env = cleanEnv(process.env, { CI: '1', NEXT_TELEMETRY_DISABLED: '1', ...colours, ...extra });
        // A process group of its own, so that nothing of it outlives the run.
        const options = { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true };
        const child = spawn(process.execPath, args, options);
        const endGroup = () => killGroup(child.pid);
        if (child.pid) reaper.watch(-child.pid);
        const forget = cleanUp.add(() => stopChild(child).then(endGroup));
        let said = '';
        for (const [from, to] of [
          [child.stdout, process.stdout],
          [child.stderr, process.stderr],
        ]) {
          from.setEncoding('utf8').on('data', (text) => {
            keep(text);
            if (atEnd) said += text;
            else to.write(text);
          });
        }
        child.once('error', () => done(false));
        whenEnded(child, (how) => {
          // After a signal no further step may begin.
          if (cleanUp.hasBegun()) return;
          forget();
          endGroup();
          if (child.pid) reaper.forget(-child.pid);
          const end = () => {
            atEnd?.(said);
            done(how === 'exit code 0');
          };
          const timer = setTimeout(end, OUTPUT_GRACE_MS);
          child.once('close', () => {
            clearTimeout(timer);
            end();
          });
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
    hasBegun: () => running !== undefined,
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
