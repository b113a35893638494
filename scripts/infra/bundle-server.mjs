import { join } from 'node:path';

/**
 * Bundles the web process into one file beside Next's build. A bundle rather than running the TypeScript through a
 * loader: the loader's `react-server` condition, which makes `server-only` harmless, would break Next's own rendering,
 * and its name-keeping wrappers cost the hot path time. Takes a few milliseconds, so it is made at every start.
 * @param {{ root: string, dist: string }} options `dist`: Next's build folder
 * @returns {Promise<string>} the file to run.
 */
export async function bundleServer({ root, dist }) {
  // Imported when called: before `npm ci` there is none.
  const { build } = await import('esbuild');
  const outfile = join(root, dist, 'seckill-server.mjs');
  await build({
    entryPoints: [join(root, 'scripts', 'serve.ts')],
    outfile,
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
  return outfile;
}

/** Next's guard against server code in the browser; here everything is server code. */
function ignoreServerOnly(build) {
  build.onResolve({ filter: /^server-only$/ }, () => ({ path: 'server-only', namespace: 'nothing' }));
  build.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: '' }));
}
