import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** A file of the product, by its path from the project's root, with its text. */
type SourceFile = { path: string; code: string };

/**
 * Builds pages and returns a function that finds the files behind one of them that run in the browser.
 * @param pages paths from the project's root
 */
export async function findClientFiles(pages: readonly string[]): Promise<(page: string) => SourceFile[]> {
  const { metafile } = await build({
    entryPoints: [...pages],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    external: ['*.css'],
    outdir: 'unused',
    jsx: 'automatic',
    format: 'esm',
    logLevel: 'error',
  });
  return (page) => {
    const found: SourceFile[] = [];
    const seen = new Set<string>();
    const visit = (path: string, isBelowClient: boolean) => {
      const code = readFileSync(join(root, path), 'utf8');
      const isClient = isBelowClient || code.startsWith("'use client'");
      if (seen.has(`${path} ${isClient}`)) return;
      seen.add(`${path} ${isClient}`);
      if (isClient) found.push({ path, code });
      for (const { path: next, external } of metafile.inputs[path]?.imports ?? []) {
        if (!external && metafile.inputs[next]) visit(next, isClient);
      }
    };
    visit(page, false);
    return found;
  };
}
