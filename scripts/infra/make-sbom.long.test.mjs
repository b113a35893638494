import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreignLicences } from './make-sbom.mjs';

const root = resolve(import.meta.dirname, '../..');
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const out = mkdtempSync(join(tmpdir(), 'seckill-sbom-test-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

const run = (...args) =>
  spawnSync(process.execPath, [join(root, 'scripts/sbom.mjs'), ...args], { cwd: out, encoding: 'utf8' });

describe('npm run sbom', () => {
  it('[L1] writes a CycloneDX list of every production package at its exact version, each with a licence we may pass on', () => {
    const file = join(out, 'deep', 'sbom.json');
    const { status, stderr } = run('--out', file);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const sbom = JSON.parse(readFileSync(file, 'utf8'));
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', version: 1 });
    expect(sbom.metadata.component.name).toBe('seckill');
    const find = (name) => sbom.components.filter((each) => each.name === name);
    for (const [name, version] of Object.entries(dependencies)) {
      const [own] = find(name).filter((each) => each.version === version);
      expect(own?.purl, name).toMatch(/^pkg:npm\//);
      expect(own.hashes, name).toContainEqual({ alg: 'SHA-512', content: expect.any(String) });
    }
    for (const name of ['vitest', '@biomejs/biome', '@axe-core/playwright']) {
      expect(devDependencies).toHaveProperty([name]);
      expect(find(name), name).toEqual([]);
    }
    const refs = new Set(sbom.components.map((each) => each['bom-ref']));
    for (const { dependsOn } of sbom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
  });

  it('[L1] refuses anything else, and writes nothing', () => {
    for (const args of [['--out'], ['--out', 'x', 'y'], ['x'], ['--out=']])
      expect(run(...args).status, args.join(' ')).toBe(2);
  });
});

describe('licences', () => {
  const one = (license) => ({
    components: [{ name: 'a', version: '1.0.0', licenses: license ? [{ license }] : [] }],
  });
  it('[L1] nobody has read are named', () => {
    expect(foreignLicences(one({ id: 'MIT' }))).toEqual([]);
    expect(foreignLicences(one({ id: 'GPL-3.0-only' }))).toEqual(['a@1.0.0: GPL-3.0-only']);
    expect(foreignLicences(one({ name: 'Custom' }))).toEqual(['a@1.0.0: Custom']);
    expect(foreignLicences(one(undefined))).toEqual(['a@1.0.0: says nothing']);
    // Reading one package's licence covers neither another package nor another licence of the same package.
    const sharp = (id) => ({ components: [{ ...one({ id }).components[0], name: '@img/sharp-linux-x64' }] });
    expect(foreignLicences(sharp('LGPL-3.0-or-later'))).toEqual([]);
    expect(foreignLicences(one({ id: 'LGPL-3.0-or-later' }))).toHaveLength(1);
    expect(foreignLicences(sharp('AGPL-3.0-only'))).toHaveLength(1);
    const both = (expression) => ({
      components: [{ name: 'a', version: '1.0.0', licenses: [{ expression }] }],
    });
    expect(foreignLicences(both('(MIT OR Apache-2.0)'))).toEqual([]);
    expect(foreignLicences(both('MIT AND AGPL-3.0'))).toHaveLength(1);
  });
});
