import { join } from 'node:path';

/**
 * Bundles the web process and the one that runs Next into one file each, beside Next's build. A bundle rather than running the TypeScript through a
 * loader: the loader's `react-server` condition, which makes `server-only` harmless, would break Next's own rendering,
 * and its name-keeping wrappers cost the hot path time. Takes a few milliseconds, so it is made at every start.
 * @param {{ root: string, dist: string }} options `dist`: Next's build folder
 * @returns {Promise<string>} the file to run; it finds the other.
 */
export async function bundleServer({ root, dist }) {
  // Imported when called: before `npm ci` there is none.
  const { build } = await import('esbuild');
  const outdir = join(root, dist);
  const scripts = join(root, 'scripts');
  await build({
    entryPoints: {
      'seckill-server': join(scripts, 'serve.ts'),
      'seckill-next': join(scripts, 'serve-next.ts'),
    },
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
  });
  return join(outdir, 'seckill-server.mjs');
}

/** Next's guard against server code in the browser; here everything is server code. */
function ignoreServerOnly(build) {
  build.onResolve({ filter: /^server-only$/ }, () => ({ path: 'server-only', namespace: 'nothing' }));
  build.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: '' }));
}
