import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;

/** `@/` is the repository root; `server-only` is Next's guard and means nothing here; cookies are those of the test's visitor. */
const alias = [
  { find: /^@\//, replacement: `${root}/` },
  { find: 'server-only', replacement: `${root}/test/support/server-only.ts` },
  { find: 'next/headers', replacement: `${root}/test/support/next-headers.ts` },
];
const exclude = ['**/node_modules/**', '.next*/**', '.data*/**', 'e2e/**'];

export default defineConfig({
  resolve: { alias },
  test: {
    // Most of a test is waiting, for a clock or for a server.
    maxWorkers: availableParallelism() + 1,
    // Bounds, here and below, are for what hangs, not for what is slow: a busy machine takes ten times as long.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx,mjs}'],
          exclude: [...exclude, '**/*.integration.test.*', '**/*.system.test.*'],
          setupFiles: ['test/support/setup-unit.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['**/*.integration.test.{ts,mjs}'],
          exclude,
          // A process per file: every file has its own environment, database and Redis server.
          pool: 'forks',
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/setup-integration.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          // `npm start` itself, from outside: slow, one at a time, after the build. `npm test` runs it last.
          name: 'system',
          include: ['**/*.system.test.{ts,mjs}'],
          exclude,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
