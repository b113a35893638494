import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeAtomically } from './write-atomically.mjs';

/**
 * Bundles every process of the product into one file each, beside Next's build; it takes a fraction of a second, so
 * every start does it. A TypeScript loader would take seconds and slow the hot path by its name-keeping wrappers. Its
 * `react-server` condition, which makes `server-only` harmless, would also break Next's own rendering.
 * @param {{ root: string, dist: string }} options `dist`: Next's build folder
 * @returns {Promise<{ web: string, worker: string, executor: string }>} the files to run; that of the web process
 *   finds the one that runs Next.
 */
export async function bundleParts({ root, dist }) {
  const outdir = join(root, dist);
  const scripts = join(root, 'scripts');
  await bundle({
    root,
    outdir,
    entryPoints: {
      'seckill-server': join(scripts, 'serve.ts'),
      'seckill-next': join(scripts, 'serve-next.ts'),
      'seckill-worker': join(scripts, 'worker.ts'),
      'seckill-executor': join(root, 'inngest', 'executor', 'main.ts'),
    },
  });
  const file = (name) => join(outdir, `seckill-${name}.mjs`);
  return { web: file('server'), worker: file('worker'), executor: file('executor') };
}

/**
 * Bundles our TypeScript into files that Node runs directly; packages stay where they are. A process that runs an
 * older bundle keeps its files intact.
 * @param {{ root: string, outdir: string, entryPoints: Record<string, string> }} options `entryPoints`: name without
 *   extension in `outdir`, which is below `root` → source
 */
export async function bundle({ root, outdir, entryPoints }) {
  // Imported when called: before `npm ci` the package is not there.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: { '@': root },
    plugins: [{ name: 'server-only', setup: ignoreServerOnly }],
    sourcemap: 'linked',
    logLevel: 'silent',
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeAtomically(path, text);
  }
}

/** Removes Next's guard against server code in the browser; here everything is server code. */
function ignoreServerOnly(build) {
  build.onResolve({ filter: /^server-only$/ }, () => ({ path: 'server-only', namespace: 'nothing' }));
  build.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: '' }));
}
