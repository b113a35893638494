import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

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
