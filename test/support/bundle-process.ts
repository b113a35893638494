import { join, parse, relative } from 'node:path';
import { bundle } from '../../scripts/infra/bundle-parts.mjs';

const root = join(import.meta.dirname, '../..');
/** Inside node_modules, or the bundles would not find the packages. */
const outdir = join(root, 'node_modules', '.cache', 'seckill-tests');
const bundles = new Map<string, Promise<string>>();

/**
 * For tests that start processes: bundles one of our TypeScript files so that Node runs it directly, as it does the
 * product's web process. Through a loader each start takes a second of processor time.
 * @param file its full path @returns the full path of the bundle
 */
export function bundleProcess(file: string): Promise<string> {
  const { dir, name } = parse(relative(root, file));
  const entry = join(dir, name);
  const made =
    bundles.get(file) ??
    bundle({ root, outdir, entryPoints: { [entry]: file } }).then(() => join(outdir, `${entry}.mjs`));
  bundles.set(file, made);
  return made;
}
