import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONGEST } from './support/longest-first.mjs';
import { REPLACING, REPLACING_WITH_SERVERS } from './support/replacing.mjs';

const root = join(import.meta.dirname, '..');
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe('the project', () => {
  it.each([
    'package.json',
    'tsconfig.json',
    'next.config.ts',
    'app',
    'components',
    'lib',
    'prisma',
    'inngest',
    'e2e',
    'public',
  ])('[L2] has %s at its top', (name) => {
    expect(existsSync(join(root, name))).toBe(true);
  });

  it.each([
    'next',
    'react',
    '@tanstack/react-query',
    'next-auth',
    'ioredis',
    'prisma',
    '@prisma/client',
    'inngest',
    'tailwindcss',
    'playwright',
  ])('[L1] stands on %s, at an exact version', (name) => {
    expect({ ...dependencies, ...devDependencies }[name]).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('[L1] keeps the releases of Prisma together', () => {
    const versions = ['prisma', '@prisma/client', '@prisma/adapter-pg'].map((name) => dependencies[name]);
    expect(new Set(versions).size).toBe(1);
  });
});

/** Calls that change a process for the next test file in it. */
const UNIT_REPLACES =
  /vi\.(mock|doMock|resetModules|stubGlobal|stubEnv)\(|process\.env\.\w+ =|Object\.assign\(process\.env/;
const INTEGRATION_REPLACES = /vi\.(mock|doMock|stubGlobal)\(|\/(apply-migrations|engine|diff-sql)'/;
const FOLDERS = [
  'app',
  'components',
  'deploy',
  'docs',
  'i18n',
  'inngest',
  'lib',
  'messages',
  'scripts',
  'tools',
];

it.each([
  ['unit', /(?<!\.integration|\.system)\.test\.(ts|tsx|mjs)$/, UNIT_REPLACES, REPLACING],
  ['integration', /\.integration\.test\.(ts|mjs)$/, INTEGRATION_REPLACES, REPLACING_WITH_SERVERS],
])('%s tests that replace what a process keeps have one of their own', (_, isOne, replaces, known) => {
  const tests = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => isOne.test(file))
      .map((file) => `${folder}/${file}`),
  );
  expect(tests.length).toBeGreaterThan(150);
  const replacing = tests.filter((file) => replaces.test(readFileSync(join(root, file), 'utf8')));
  expect(replacing.sort()).toEqual([...known].sort());
});

it('the test files that are begun first are there', () => {
  expect(LONGEST.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
