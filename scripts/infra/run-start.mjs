import { resolve } from 'node:path';
import { dataDirPath } from './data-dir.mjs';
import { diskFullAdvice } from './full-disk.mjs';
import { Problem } from './problem.mjs';
import { createStart } from './start-product.mjs';
import { watchNpm } from './watch-npm.mjs';

/** Ctrl-C reaches us twice, from the terminal and forwarded by npm; only a second signal after this time means "now". */
const SAME_SIGNAL_MS = 1_000;

/**
 * Runs `npm start` from here on: signals, messages and the exit code around the product.
 * @param {{ isDev: boolean }} options `isDev`: with hot reload
 */
export async function runStart({ isDev }) {
  const root = resolve(import.meta.dirname, '../..');
  const product = createStart({
    root,
    isDev,
    env: process.env,
    onGiveUp: (reason) => void end(1, reason),
  });
  let isEnding = false;
  let endingSince = 0;

  /** The first call decides the message and the exit code. */
  async function end(code, reason) {
    if (isEnding) return;
    isEnding = true;
    endingSince = Date.now();
    if (reason) console.error(`\n${reason}`);
    const isClean = await product.stop();
    if (code === 0) console.log(isClean ? 'Stopped.' : 'Stopped; some parts had to be killed.');
    process.exit(code);
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (isEnding) {
        if (Date.now() - endingSince < SAME_SIGNAL_MS) return;
        product.kill();
        process.exit(1);
      }
      console.log('\nStopping …');
      void end(0);
    });
  }
  // A bug of ours must not end a shop that sells: before the shop is ready it ends the start, afterwards it is only
  // reported.
  process.on('uncaughtException', (error) => {
    if (product.isReady()) console.error(error);
    else void end(1, error.stack);
  });
  // The terminal may be gone before this process ends.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  watchNpm(() => void end(0));

  console.log(`\nSeckill, on Node ${process.versions.node}\n`);
  try {
    await product.start();
  } catch (error) {
    if (isEnding) return;
    const full = diskFullAdvice(error, [dataDirPath(root, process.env.SECKILL_DATA_DIR), root]);
    const text = full ? '' : (error?.stack ?? String(error));
    await end(1, [error instanceof Problem ? error.message : text, full].filter(Boolean).join('\n'));
  }
}
