import { resolve } from 'node:path';
import { Problem } from './problem.mjs';
import { createProduct } from './start-product.mjs';
import { watchNpm } from './watch-npm.mjs';

/** Ctrl-C reaches us twice, from the terminal and forwarded by npm; only a later one means "now". */
const SAME_SIGNAL_MS = 1_000;

/** `npm start` from here on: signals, messages and the exit code around the product. */
export async function runStart() {
  const product = createProduct({
    root: resolve(import.meta.dirname, '../..'),
    isDev: process.argv.includes('--dev'),
    env: process.env,
    onGiveUp: (reason) => void end(1, reason),
  });
  let isEnding = false;
  let endingSince = 0;

  /** The first call decides what is printed and returned. */
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
  // The terminal may be gone before we are.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  watchNpm(() => void end(0));

  console.log(`\nSeckill, on Node ${process.versions.node}\n`);
  try {
    await product.start();
  } catch (error) {
    if (isEnding) return;
    const isOurs = error instanceof Problem;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await end(1, isOurs ? error.message : (diskFull(error) ?? text));
  }
}

function diskFull(error) {
  return error?.code === 'ENOSPC'
    ? `The disk is full (${error.path ?? 'data directory'}): free some space and start again.`
    : undefined;
}
