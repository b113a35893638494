import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.mjs';
import { REPLACING, REPLACING_WITH_SERVERS } from './test/support/replacing.mjs';

const root = import.meta.dirname;

/** `@/` is the repository root; `server-only` is Next's guard and means nothing here. */
const alias = [
  { find: /^@\//, replacement: `${root}/` },
  { find: 'server-only', replacement: `${root}/test/support/server-only.ts` },
];
/**
 * Tests that measure how long somebody waits, or hold a promise in seconds against faults: a few files at a time after
 * all the others, which would take the processor from them. They wait for most of their time.
 */
const timed = '**/*.timed.integration.test.ts';
/** What takes long and seldom breaks: random histories, tools, commands from outside, stores that fail. */
const long = ['**/*.long.test.{ts,mjs}', '**/*.long.integration.test.{ts,mjs}'];
const exclude = ['**/node_modules/**', '.next*/**', '.data*/**', 'e2e/**'];

const unit = {
  setupFiles: ['test/support/setup-unit.ts'],
  testTimeout: 180_000,
  hookTimeout: 180_000,
};
const integration = {
  // Every file has its own environment, database and Redis server.
  pool: 'forks' as const,
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/setup-integration.ts'],
  testTimeout: 600_000,
  hookTimeout: 600_000,
};

export default defineConfig({
  resolve: { alias },
  test: {
    // Most of an integration test is waiting: as many as there are processors leave a third of them idle.
    maxWorkers: 3 * availableParallelism(),
    // Bounds, here and below, are for what hangs, not for what is slow: a busy machine takes ten times as long.
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    // The projects share what one of them has compiled, and the next run does.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          ...unit,
          name: 'unit',
          include: ['**/*.test.{ts,tsx,mjs}'],
          exclude: [...exclude, ...REPLACING, ...long, '**/*.integration.test.*', '**/*.system.test.*'],
          isolate: false,
        },
      },
      { extends: true, test: { ...unit, name: 'replacing', include: REPLACING, exclude } },
      {
        extends: true,
        test: {
          ...integration,
          name: 'integration',
          include: ['**/*.integration.test.{ts,mjs}'],
          exclude: [...exclude, ...REPLACING_WITH_SERVERS, ...long, timed],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: 'replacing-with-servers',
          include: REPLACING_WITH_SERVERS,
          exclude: [...exclude, timed],
        },
      },
      { extends: true, test: { ...integration, name: 'long', include: long, exclude, isolate: false } },
      {
        extends: true,
        test: {
          ...integration,
          name: 'timed',
          setupFiles: [...integration.setupFiles, 'test/support/setup-timed.ts'],
          include: [timed],
          exclude,
          maxWorkers: availableParallelism() + 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          // `npm start` itself, from outside: slow, after the build. Its files wait for most of their
          // time.
          name: 'system',
          include: ['**/*.system.test.{ts,mjs}'],
          exclude,
          maxWorkers: availableParallelism() + 1,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});
