import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Bug } from '../bugs';
import type { Modules } from '../fakes/create-modules';
import { createModules } from '../fakes/create-modules';
import type { SimProcess } from '../sim-process';
import { World } from '../world';

export type ProcessApi = typeof import('./entry');

/** The product's composition. It can be started once for each process that is needed. */
export type Bundle = { start: (modules: Modules, process: SimProcess) => ProcessApi };

const ROOT = join(import.meta.dirname, '../../..');
const require = createRequire(import.meta.url);

/** Modules without state and without time. They are loaded once, not for every process. */
const SHARED = [
  'inngest/events',
  'lib/errors/codes',
  'lib/errors/is-outage',
  'lib/http/problem',
  'lib/ids/order-no',
  'lib/ids/shard-of',
  'lib/outbox/accepted-order',
  'lib/outbox/order-batch',
  'lib/outbox/parse-entry',
];
const PACKAGES = new Set(['zod', 'p-limit', 'node:crypto', 'node:async_hooks', 'node:util']);
/** The part of the SDK that is needed to declare events and functions. */
const INNGEST = `
  export const cron = (schedule) => ({ cron: schedule });
  export class RetryAfterError extends Error {
    name = 'RetryAfterError';
  }
  export const eventType = (name, { schema }) =>
    ({ name, schema, create: (data, options) => ({ name, data, ...options }) });`;
/** Thousands of processes are started, and each time the package would allocate room for a thousand entries. */
const LRU_CACHE = 'export class LRUCache extends Map { constructor() { super(); } }';
const REPLACED: Readonly<Record<string, string>> = {
  'server-only': '',
  inngest: INNGEST,
  'lru-cache': LRU_CACHE,
};
/** The globals that a simulated process must get from its simulator instead of the machine. */
const GIVEN = ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setImmediate', 'globalThis', 'console'];

/**
 * Bundles the composition as it stands in lib/ and inngest/, and replaces every module that leaves the process.
 * @param bug planted on the way. @throws if code reaches a real Redis, Postgres or clock that is not simulated.
 */
export async function loadBundle(bug?: Bug): Promise<Bundle> {
  const names = exportsOf(createModules({ world: new World(0, { isTold: false }) } as SimProcess));
  const shared = await loadShared();
  const sharedNames = exportsOf(shared);
  const code = await bundle(join(import.meta.dirname, 'entry.ts'), [
    replace('leaf', names, 'MODULES'),
    replace('shared', sharedNames, 'SHARED'),
    surroundings(bug),
  ]);
  const main = new Function('require', 'SHARED', 'MODULES', ...GIVEN, `${code}; return ENTRY;`);
  return { start: (modules, process) => main(require, shared, modules, ...given(process)) };
}

async function loadShared(): Promise<Record<string, Record<string, unknown>>> {
  const contents = SHARED.map((path, at) => `export * as m${at} from '@/${path}';`).join('\n');
  const code = await bundle({ contents, resolveDir: ROOT }, [surroundings()]);
  const all = new Function('require', `${code}; return ENTRY;`)(require);
  return Object.fromEntries(SHARED.map((path, at) => [path, all[`m${at}`]]));
}

async function bundle(
  entry: string | { contents: string; resolveDir: string },
  plugins: Plugin[],
): Promise<string> {
  const { outputFiles } = await build({
    ...(typeof entry === 'string' ? { entryPoints: [entry] } : { stdin: { ...entry, loader: 'ts' } }),
    bundle: true,
    write: false,
    platform: 'node',
    format: 'iife',
    globalName: 'ENTRY',
    target: 'node20',
    plugins,
    logLevel: 'silent',
    absWorkingDir: ROOT,
  });
  return outputFiles?.[0]?.text ?? '';
}

const exportsOf = (modules: Readonly<Record<string, object>>): Map<string, string[]> =>
  new Map(Object.entries(modules).map(([path, exported]) => [path, Object.keys(exported)]));

/** Resolves these modules to objects that the bundle gets at its start. */
function replace(namespace: string, names: ReadonlyMap<string, readonly string[]>, variable: string): Plugin {
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(@\/|\.|node:)/ }, ({ path, resolveDir }) => {
        const found = moduleAt(path, resolveDir);
        return names.has(found) ? { path: found, namespace } : undefined;
      });
      onLoad({ filter: /.*/, namespace }, ({ path }) => {
        const values = (names.get(path) ?? []).map((name) => `export const ${name} = given.${name};`);
        return {
          contents: [`const given = ${variable}[${JSON.stringify(path)}];`, ...values].join('\n'),
          loader: 'js',
        };
      });
    },
  };
}

/** Loads our own modules unchanged, or with a bug, and a few packages unchanged; refuses everything else. */
function surroundings(bug?: Bug): Plugin {
  return {
    name: 'surroundings',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^@\// }, ({ path }) => ({ path: `${join(ROOT, path.slice(2))}${fileOf(path)}` }));
      onResolve({ filter: /^[^.@/]/ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point') return undefined;
        if (Object.hasOwn(REPLACED, path)) return { path, namespace: 'surroundings' };
        if (PACKAGES.has(path)) return { path, external: true };
        return { errors: [{ text: `${relative(ROOT, importer)} needs ${path}, which is not simulated` }] };
      });
      onResolve({ filter: /^@[^/]/ }, ({ path, importer }) => ({
        errors: [{ text: `${relative(ROOT, importer)} needs ${path}, which is not simulated` }],
      }));
      onLoad({ filter: /.*/, namespace: 'surroundings' }, ({ path }) => ({
        contents: REPLACED[path],
      }));
      if (bug?.source) {
        const { file, from, to } = bug.source;
        onLoad({ filter: new RegExp(`/${file}$`) }, ({ path }) => {
          const text = readFileSync(path, 'utf8');
          if (!text.includes(from)) return { errors: [{ text: `${file} no longer says: ${from}` }] };
          return { contents: text.replace(from, to), loader: 'ts' };
        });
      }
    },
  };
}

function moduleAt(path: string, resolveDir: string): string {
  if (path.startsWith('@/')) return path.slice(2);
  return path.startsWith('.') ? relative(ROOT, join(resolveDir, path)) : path;
}

/** Returns a folder's index, or the file itself. */
const fileOf = (path: string): string => (path === '@/inngest/functions' ? '/index.ts' : '.ts');

function given(process: SimProcess): unknown[] {
  const { time, random } = process.world;
  /** No timer is punctual, and a recurring one that is late costs less. */
  const stretch = () => 1 + random.next() * 7;
  class SimDate extends Date {
    constructor(...args: [] | [number | string | Date]) {
      super(args.length === 0 ? time.now : args[0]);
    }
    static override now = () => Math.floor(time.now);
  }
  const clear = (cancel?: () => void) => cancel?.();
  const later = (run: () => void, ms = 0) =>
    Object.assign(process.after(ms * stretch(), run), { unref: unrefd });
  const silent = { log() {}, warn() {}, error() {} };
  return [SimDate, { now: () => time.now }, later, clear, later, { AbortController, AbortSignal }, silent];
}

function unrefd<T>(this: T): T {
  return this;
}
