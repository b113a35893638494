import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordAction } from '@/lib/audit/record-action';
import { STAFF_ROLES } from '@/lib/contract/words/roles';
import { closeDb, db } from '@/lib/db/client';
import { verifyEntryToken } from '@/lib/entry/verify-entry-token';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { buy, createTestSale, type TestSale, write } from '@/lib/verify/testing/test-sale';
import { bundleProcess } from '@/test/support/bundle-process';
import { helpOf } from './infra/usages.mjs';

type Outcome = { code: number; stdout: string; stderr: string };

const root = resolve(import.meta.dirname, '..');
const dir = mkdtempSync(join(tmpdir(), 'seckill-commands-'));
let sale: TestSale;

/** Runs Node, with this test's servers unless `env` says otherwise. */
function runNode(argv: string[], env: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      argv,
      { cwd: root, env: { ...process.env, ...env } },
      (error, stdout, stderr) => {
        done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
      },
    );
  });
}

/** Runs a command's code as a bundle; the loader npm starts it with takes a second of the processor each time. */
const run = async (script: string, args: string[], env: Record<string, string> = {}) =>
  runNode([await bundleProcess(join(root, script)), ...args], env);

const verify = (...args: string[]) => run('scripts/verify.ts', args);
const reconcile = (...args: string[]) => run('scripts/reconcile.ts', args);
const tokens = (...args: string[]) => run('tools/loadtest-tokens.ts', args);

beforeAll(async () => {
  sale = await createTestSale({ total: 5, users: 2 });
  const purchase = await buy(sale, sale.userIds[0] ?? '');
  await write(sale, [purchase]);
  const subject = { kind: 'sale', id: sale.saleId };
  const action = { action: 'sale.pause', subject, before: { paused: false }, after: { paused: true } };
  await db().$transaction((tx) => recordAction(tx, { userId: 'user_admin', role: 'admin' }, action));
});

afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await releaseOrderNos();
  await closeRedis();
  await closeDb();
});

describe.each([
  ['verify', 'scripts/verify.ts', () => ['--sale', sale.saleId], 0],
  ['reconcile', 'scripts/reconcile.ts', () => ['--sale', sale.saleId], 0],
  ['preflight', 'scripts/preflight.ts', () => [], 1],
  ['admin', 'scripts/admin.ts', () => [], 2],
  ['loadtest:tokens', 'tools/loadtest-tokens.ts', () => [], 2],
] as const)('npm run %s', (name, script, args, code) => {
  it('[L1] answers through the loader that npm starts it with', async () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(scripts[name]).toMatch(new RegExp(` --import tsx --conditions=react-server ${script}$`));
    const argv = ['--import', 'tsx', '--conditions=react-server', script, ...args()];
    expect(await runNode(argv)).toMatchObject({ code });
  });
});

describe('npm run reconcile', () => {
  it('[C8] names what differs and exits 1; with --repair puts it right and exits 0', async () => {
    await stockRedis().hincrby(keys.sale(sale.saleId), 'available', 1);
    const named = await reconcile('--sale', sale.saleId);
    expect(named).toMatchObject({ code: 1, stderr: '' });
    expect(named.stdout).toMatch(/✗ phantom_unit .*does not add up.*\(open\)/);
    const repaired = await reconcile('--sale', sale.saleId, '--repair', '--json');
    expect(repaired).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(repaired.stdout)).toMatchObject({
      ok: true,
      counts: { phantom_unit: expect.any(Number) },
    });
    expect((await reconcile('--sale', sale.saleId)).stdout).toContain('0 differences');
  });

  it('[C8] exits 2 with one sentence without a sale that can be compared', async () => {
    for (const args of [[], ['--sale', 'nope'], ['--what']]) {
      const { code, stderr } = await reconcile(...args);
      expect(code).toBe(2);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});

describe('npm run verify', () => {
  it('[C6] prints all eight invariants and the audit log, and exits 0 while they hold', async () => {
    const human = await verify('--sale', sale.saleId);
    expect(human).toMatchObject({ code: 0, stderr: '' });
    expect(human.stdout.match(/✓/g)).toHaveLength(12);
    const json = await verify('--sale', sale.saleId, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      invariants: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id })),
      audit: { ok: true, detail: expect.stringMatching(/^one chain of 1;/) },
    });
    const all = await verify('--json');
    expect(JSON.parse(all.stdout)).toMatchObject({
      ok: true,
      sales: [{ saleId: sale.saleId, ok: true }],
      statements: { ok: true, detail: expect.stringContaining('all booked here') },
      audit: { ok: true },
    });
  });

  it('[C6] exits 1 and names the broken invariant', async () => {
    await stockRedis().hincrby(keys.sale(sale.saleId), 'available', 1);
    const outcome = await verify('--sale', sale.saleId);
    await stockRedis().hincrby(keys.sale(sale.saleId), 'available', -1);
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toMatch(/✗ 1 .*\n.*does not add up/);
  });

  it('[L4] exits 1 and names the entry of the audit log that was changed', async () => {
    const change = (id: string) =>
      db().$transaction([
        db().$executeRaw`ALTER TABLE audit_entries DISABLE TRIGGER USER`,
        db().$executeRaw`UPDATE audit_entries SET actor_id = ${id} WHERE id = 1`,
        db().$executeRaw`ALTER TABLE audit_entries ENABLE TRIGGER USER`,
      ]);
    const { actorId } = await db().auditEntry.findUniqueOrThrow({ where: { id: 1n } });
    await change('user_other');
    const [human, json] = [await verify(), await verify('--sale', sale.saleId, '--json')];
    await change(actorId);
    expect(human).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ entry 1 was changed') });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      audit: { ok: false, detail: 'entry 1 was changed' },
    });
  });

  it('[L1] exits 2 with one sentence when it cannot be carried out', async () => {
    const unreachable = { REDIS_URL: 'redis://127.0.0.1:9/0' };
    const nowhere = { DATABASE_URL: '', REDIS_URL: '', SECKILL_DATA_DIR: dir };
    const outcomes = await Promise.all([
      verify('--sale', 'sale_nowhere'),
      verify('--sale'),
      verify('--sale', ''),
      verify('--nonsense'),
      run('scripts/verify.ts', ['--sale', sale.saleId], unreachable),
      run('scripts/verify.ts', ['--sale', sale.saleId], { DATABASE_URL: 'postgres://a:b@127.0.0.1:9/c' }),
      run('scripts/verify.ts', [], nowhere),
    ]);
    for (const { code, stdout, stderr } of outcomes) {
      expect({ code, stdout, lines: stderr.trim().split('\n').length }, stderr).toEqual({
        code: 2,
        stdout: '',
        lines: 1,
      });
    }
    expect(outcomes[0]?.stderr).toBe('there is no sale sale_nowhere\n');
    expect(outcomes[4]?.stderr).toContain('cannot be reached');
    expect(outcomes[6]?.stderr).toContain('run npm start first');
  });

  it('[L1] finds the running product by itself in a fresh shell', async () => {
    const { DATABASE_URL, REDIS_URL } = process.env;
    writeFileSync(join(dir, 'runtime.json'), JSON.stringify({ env: { DATABASE_URL, REDIS_URL } }));
    const fresh = { DATABASE_URL: '', REDIS_URL: '', SECKILL_DATA_DIR: dir };
    expect(await run('scripts/verify.ts', ['--sale', sale.saleId], fresh)).toMatchObject({ code: 0 });
    rmSync(join(dir, 'runtime.json'));
  });
});

describe('npm run admin', () => {
  const admin = (...args: string[]) => run('scripts/admin.ts', args);

  it('[N1] invite prints a link that works once, and says for whom and how long', async () => {
    const { code, stdout, stderr } = await admin('invite', 'Ann@Example.com', '--role', 'admin');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Ann@Example\.com is invited as admin\. .* UTC;.*\nhttp:\/\/\S+\/invite#[\w-]{43}\n$/,
    );
    expect(await db().invitation.count({ where: { email: 'ann@example.com', role: 'admin' } })).toBe(1);
  });

  it('[N1] exits 2 with one sentence on anything else, and invites nobody', async () => {
    const before = await db().invitation.count();
    const role = ['--role', 'support'];
    const outcomes = await Promise.all([
      admin(),
      admin('invite', ...role),
      admin('fire', 'ben@example.com', ...role),
      admin('invite', 'ben@example.com'),
      admin('invite', 'ben@example.com', '--role', 'shopper'),
      admin('invite', 'ben@example.com', 'eve@example.com', ...role),
      admin('invite', 'nobody', ...role),
      admin('invite', `${'x'.repeat(5_000)}@example.com`, ...role),
    ]);
    for (const { code, stdout, stderr } of outcomes) {
      expect({ code, stdout, lines: stderr.trim().split('\n').length }, stderr).toEqual({
        code: 2,
        stdout: '',
        lines: 1,
      });
    }
    expect(await db().invitation.count()).toBe(before);
  });

  it('[N1] its help names every role', () => {
    for (const role of STAFF_ROLES) expect(helpOf('admin')).toContain(role);
  });
});

it('[L1] a command ends with its code though something holds its process', async () => {
  expect(await run('scripts/testing/held-command.ts', [], { SECKILL_PATIENCE: '1' })).toEqual({
    code: 1,
    stdout: '',
    stderr: '',
  });
});

describe('npm run loadtest:tokens', () => {
  it('[L4] writes a valid token per user and uses the users again', async () => {
    const out = join(dir, 'tokens.jsonl');
    const first = await tokens('--sale', sale.saleId, '--users', '20000', '--out', out);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const lines = readFileSync(out, 'utf8').trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as { userId: string; entryToken: string });
    expect(new Set(rows.map((row) => row.userId)).size).toBe(20_000);
    for (const { userId, entryToken } of rows.slice(0, 50)) {
      const verified = verifyEntryToken(entryToken, sale.saleId, Date.now());
      expect(verified).toMatchObject({ status: 'valid', claims: { userId } });
    }
    const second = await tokens('--sale', sale.saleId, '--users', '3', '--out', out);
    expect(second.code).toBe(0);
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(3);
    const where = { email: { startsWith: 'loadtest-' } };
    expect(await db().user.count({ where })).toBe(20_000);
    expect(await db().user.findFirst({ where })).toMatchObject({ role: 'shopper', passwordHash: '!' });
  });

  it('[L4] exits 2 with one sentence on anything it cannot do, and creates nobody', async () => {
    const before = await db().user.count();
    const out = join(dir, 'never');
    const outcomes = await Promise.all([
      ...['0', '1.5', 'NaN', '1000001'].map((users) =>
        tokens('--sale', sale.saleId, `--users=${users}`, '--out', out),
      ),
      tokens('--sale', 'sale_nowhere', '--users', '5', '--out', out),
      tokens('--sale', sale.saleId, '--users', '5', '--out', '/proc/nowhere/tokens'),
      tokens('--sale', sale.saleId, '--users', '5', '--out', dir),
      tokens('--users', '5', '--out', out),
    ]);
    for (const { code, stderr } of outcomes) {
      expect({ code, lines: stderr.trim().split('\n').length }, stderr).toEqual({ code: 2, lines: 1 });
    }
    expect(await db().user.count()).toBe(before);
  });
});
