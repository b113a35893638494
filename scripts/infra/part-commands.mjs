import { join } from 'node:path';

/** Node's flags for running our TypeScript; the condition makes `server-only` a no-op. */
export const TYPESCRIPT = ['--import', 'tsx', '--conditions=react-server'];
/** A larger nursery: a purchase's short-lived objects die in it instead of being copied (53 → 47 µs of CPU each). */
const WEB_OPTIONS = ['--enable-source-maps', '--max-semi-space-size=32'];

/**
 * Returns Node's arguments for each part: `next dev` during development, our own server (with Next behind it)
 * otherwise.
 * @param {{ root: string, isDev: boolean, server: string, settings: NodeJS.ProcessEnv, isEmbedded: boolean }} options
 *   `server`: the bundle of the web process; `isEmbedded`: whether the executor is ours
 * @returns {{ name: string, args: string[] }[]}
 */
export function partCommands({ root, isDev, server, settings, isEmbedded }) {
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const host = settings.SECKILL_HOST;
  const dev = [next, 'dev', '-p', settings.PORT, ...(host ? ['-H', host] : [])];
  const web = isDev ? dev : [...WEB_OPTIONS, server];
  const parts = [
    { name: 'web', args: web },
    { name: 'worker', args: [...TYPESCRIPT, 'scripts/worker.ts'] },
  ];
  if (isEmbedded) {
    parts.push({ name: 'executor', args: [...TYPESCRIPT, 'inngest/executor/main.ts'] });
  }
  return parts;
}
