import { join } from 'node:path';

/** Node's flags for running a script of ours from its source; the condition makes `server-only` a no-op. */
export const TYPESCRIPT = ['--import', 'tsx', '--conditions=react-server'];
/** A larger nursery: a purchase's short-lived objects die in it instead of being copied (53 → 47 µs of CPU each). */
const WEB_OPTIONS = ['--enable-source-maps', '--max-semi-space-size=32'];

/**
 * Returns Node's arguments for each process, as `npm start` runs it.
 * @param {{ web: string, worker: string, executor: string }} files from `bundleParts`
 * @returns {{ web: string[], worker: string[], executor: string[] }}
 */
export const partArguments = ({ web, worker, executor }) => ({
  web: [...WEB_OPTIONS, web],
  worker: ['--enable-source-maps', worker],
  executor: ['--enable-source-maps', executor],
});

/**
 * Returns Node's arguments for each part: `next dev` during development, our own server (with Next behind it)
 * otherwise.
 * @param {{ root: string, isDev: boolean, files: { web: string, worker: string, executor: string }, settings: NodeJS.ProcessEnv, isEmbedded: boolean }} options
 *   `files`: from `bundleParts`; `isEmbedded`: whether the executor is ours
 * @returns {{ name: string, args: string[] }[]}
 */
export function partCommands({ root, isDev, files, settings, isEmbedded }) {
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const host = settings.SECKILL_HOST;
  const dev = [next, 'dev', '-p', String(settings.PORT), ...(host ? ['-H', host] : [])];
  const { web, worker, executor } = partArguments(files);
  const parts = [
    { name: 'web', args: isDev ? dev : web },
    { name: 'worker', args: worker },
  ];
  if (isEmbedded) parts.push({ name: 'executor', args: executor });
  return parts;
}
