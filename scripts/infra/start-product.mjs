import { firstSteps } from './first-steps.mjs';
import { progress } from './progress.mjs';
import { stopPrograms } from './run-to-end.mjs';
import { ownOrigin } from './settings.mjs';
import {
  checkAndBuild,
  fillDatabase,
  install,
  openApplication,
  openStores,
  takeDirAndPorts,
} from './start-steps.mjs';
import { createSupervisor } from './supervise.mjs';

/**
 * Makes the handle that starts the whole product, step by step, and ends it. The start checks first whatever can be checked;
 * before that it installs only what the checks need. Changes nothing in the user's own servers before everything is
 * built.
 * @param {{ root: string, isDev: boolean, env: NodeJS.ProcessEnv, onGiveUp: (reason: string) => void }} options
 */
export function createStart({ root, isDev, env, onGiveUp }) {
  const show = progress();
  let isCancelled = false;
  let isReady = false;
  let supervisor;
  let release = () => {};

  /** Each step first asks whether it is still wanted: a signal may arrive at any time. */
  const step = (title, work) => {
    if (isCancelled) throw new Error('cancelled');
    return show.step(title, work);
  };

  async function start() {
    const isDemo = env.SECKILL_DEMO ? !['0', 'false'].includes(env.SECKILL_DEMO) : !env.DATABASE_URL;
    const started = await takeDirAndPorts({ root, isDev, isDemo, env, step }, (unlock) => {
      release = unlock;
    });
    const { dir, logs, ports } = started;
    const redisBinary = await install(started);
    const files = await checkAndBuild(started);
    const drainMs = Number(env.DRAIN_MS) || 0;
    supervisor = createSupervisor({ dir, say: show.line, onNeverUp: onGiveUp, drainMs });
    const settings = await openStores(started, supervisor, redisBinary);
    const nextLines = await fillDatabase(started, settings);
    await openApplication(started, { files, settings, supervisor, isCancelled: () => isCancelled });
    supervisor.settle();
    isReady = true;
    const lines = await firstSteps({
      origin: ownOrigin(env, ports.web),
      publicUrl: settings.NEXTAUTH_URL,
      isDemo,
      isOpen: Boolean(env.SECKILL_HOST),
      nextLines: nextLines.trim().split('\n').filter(Boolean),
      logs,
    });
    show.line(`\nReady on http://localhost:${ports.web}\n${lines.join('\n')}`);
  }

  return {
    start,
    /** From here on only a signal ends the product. */
    isReady: () => isReady,
    /** @returns {Promise<boolean>} whether every part ended by itself. */
    async stop() {
      isCancelled = true;
      await stopPrograms();
      const isClean = (await supervisor?.stop()) ?? true;
      release();
      return isClean;
    },
    /** Kills everything at once, for the second signal. */
    kill() {
      isCancelled = true;
      void stopPrograms('SIGKILL');
      supervisor?.kill();
      release();
    },
  };
}
