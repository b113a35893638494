import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from './problem.mjs';

/** Whoever passes a package on under these has to do no more than to keep its notice. */
const ALLOWED = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'Unlicense',
  ],
]);

/**
 * Packages whose licence was read by somebody, and why it is no trouble; by the beginning of their names.
 * @type {Record<string, string>}
 */
const READ = {
  '@img/sharp-': 'libvips under the LGPL-3.0-or-later: linked dynamically, unchanged, replaceable',
  'caniuse-lite': 'CC-BY-4.0 data, which only the build reads',
  lightningcss: 'MPL-2.0, unchanged; the build alone uses it',
  elkjs: 'EPL-2.0, part of Prisma Studio, which we neither start nor pass on changed',
  '@next/swc-': 'MIT, as next itself; the lock file does not repeat it for every platform',
  '@swc/core-': 'Apache-2.0, as @swc/core itself; the lock file does not repeat it for every platform',
  '@tailwindcss/oxide-': 'MIT, as tailwindcss itself; the lock file does not repeat it for every platform',
  'seq-queue': 'MIT by its LICENSE file; its package.json says nothing',
};

/**
 * The software bill of materials: every package that package-lock.json names for production, on any platform, as
 * CycloneDX 1.5. Needs neither a network nor installed packages.
 * @param {string} root repository root
 * @returns {any}
 * @throws {Problem} when npm can't make it.
 */
export function makeSbom(root) {
  const cache = mkdtempSync(join(tmpdir(), 'seckill-sbom-'));
  try {
    const args = [
      'sbom',
      '--sbom-format=cyclonedx',
      '--sbom-type=application',
      '--package-lock-only',
      '--no-update-notifier',
    ];
    const cli = process.env.npm_execpath;
    const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
    const { status, stdout, stderr, error } = spawnSync(command, [...first, ...args, '--cache', cache], {
      ...{ cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    });
    if (status !== 0) throw new Problem(`npm sbom failed: ${error?.message ?? stderr.trim()}`);
    return ofProduction(JSON.parse(stdout), root);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

/**
 * Without what only developers need. Not by `--omit=dev`: npm 11.19 then leaves out esbuild, tsx and @types/node as well, which
 * tools of developers want too.
 */
function ofProduction(sbom, root) {
  const isForDevelopers = ({ properties = [] }) =>
    properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
  const components = sbom.components.filter((each) => !isForDevelopers(each));
  const refs = new Set([sbom.metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const metadata = { ...sbom.metadata, component: { ...sbom.metadata.component, name } };
  return { ...sbom, metadata, components, dependencies };
}

/**
 * The packages nobody may pass on without reading their licence first.
 * @param {{ components: { name: string, version: string, licenses?: any[] }[] }} sbom
 * @returns {string[]} name, version and licence of each
 */
export function foreignLicences({ components }) {
  return components.flatMap(({ name, version, licenses = [] }) => {
    if (Object.keys(READ).some((known) => name.startsWith(known))) return [];
    const said = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression);
    return said.length > 0 && said.every(isAllowed)
      ? []
      : [`${name}@${version}: ${said.join(', ') || 'says nothing'}`];
  });
}

/** Of an expression every part has to be allowed, also where it gives a choice. @param {string} expression */
const isAllowed = (expression) =>
  expression
    .replace(/[()]/g, ' ')
    .split(/\s+(?:AND|OR)\s+/i)
    .every((part) => ALLOWED.has(part.trim()));
