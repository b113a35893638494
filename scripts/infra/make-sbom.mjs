import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmCommand } from './npm-command.mjs';
import { Problem } from './problem.mjs';

/** Under these licences a package may be passed on if its notice is kept; nothing more is required. */
const ALLOWED = 'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 Unlicense'.split(' ');

/**
 * Other licences that a person has read, and why they are no trouble; by the beginning of the package names. The
 * empty one: the lock file names no licence.
 * @type {Record<string, { licence: string, why: string }>}
 */
const READ = {
  '@img/sharp-': { licence: 'LGPL-3.0-or-later', why: 'libvips: linked dynamically, unchanged, replaceable' },
  'caniuse-lite': { licence: 'CC-BY-4.0', why: 'data that the build alone reads' },
  lightningcss: { licence: 'MPL-2.0', why: 'unchanged; the build alone uses it' },
  'web-push': { licence: 'MPL-2.0', why: 'unchanged, with its notice' },
  elkjs: { licence: 'EPL-2.0', why: 'part of Prisma Studio, which we neither start nor change' },
  '@next/swc-': { licence: '', why: 'MIT, as next itself' },
  '@swc/core-': { licence: '', why: 'Apache-2.0, as @swc/core itself' },
  '@tailwindcss/oxide-': { licence: '', why: 'MIT, as tailwindcss itself' },
  'seq-queue': { licence: '', why: 'MIT by its LICENSE file' },
};

/**
 * Makes the software bill of materials: every package that package-lock.json names for production, on any platform,
 * as CycloneDX 1.5. Needs neither a network nor installed packages.
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
    const { command, first } = npmCommand();
    const { status, stdout, stderr, error } = spawnSync(command, [...first, ...args, '--cache', cache], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) throw new Problem(`npm sbom failed: ${error?.message ?? stderr.trim()}`);
    return ofProduction(JSON.parse(stdout), root);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

/**
 * Leaves out what only developers need. `--omit=dev` would not do: npm 11.19 then also leaves out @types/node, esbuild
 * and tsx, because developers' tools need them too.
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
 * Returns the packages whose licence a person has to read before passing them on.
 * @param {{ components: { name: string, version: string, licenses?: any[] }[] }} sbom
 * @returns {string[]} name, version and licence of each
 */
export function foreignLicences({ components }) {
  return components.flatMap(({ name, version, licenses = [] }) => {
    const known = Object.keys(READ).find((beginning) => name.startsWith(beginning));
    const allowed = known === undefined ? ALLOWED : [...ALLOWED, READ[known].licence];
    const said = licenses
      .map(({ license, expression }) => license?.id ?? license?.name ?? expression)
      .join(' AND ');
    return partsOf(said).every((part) => allowed.includes(part))
      ? []
      : [`${name}@${version}: ${said || 'says nothing'}`];
  });
}

/** Every part of an expression has to be allowed, even where it offers a choice. @param {string} expression */
const partsOf = (expression) =>
  expression
    .replace(/[()]/g, ' ')
    .split(/\s+(?:AND|OR)\s+/i)
    .map((part) => part.trim());
