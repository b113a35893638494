import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleProcess } from '@/test/support/bundle-process';
import { type Certificates, makeCertificates } from '@/test/support/make-certificates';
import { startCluster, type TestCluster } from '@/test/support/start-cluster';
import { startSentinels, type TestSentinels } from '@/test/support/start-sentinels';
import { findRedis } from '../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';
import { startRedis } from '../../scripts/infra/redis.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
/** A password that must be encoded in an address. */
const [USER, PASSWORD] = ['shop', 'p@ss/w:rd'];
const RULES = ['~*', '&*', '+@all', '-@dangerous', '+info', '+config|get'];
const dir = mkdtempSync(join(tmpdir(), 'seckill-tls-'));
const reaper = startReaper(dir);

let certificates: Certificates;
/** For another host, by another authority. */
let other: Certificates;
let cluster: TestCluster;
let sentinels: TestSentinels;
let stray: { port: number; stop(): Promise<boolean> };

beforeAll(async () => {
  certificates = makeCertificates(dir);
  other = makeCertificates(mkdtempSync(join(dir, 'other-')), 'DNS:shop.example');
  const port = await anyFreePort();
  const server = await startRedis({
    binary: findRedis({}),
    dir: join(dir, 'stray'),
    port: await anyFreePort(),
    logFile: join(dir, 'stray.log'),
    settings: { ...other.settings, 'tls-port': port, save: '' },
    onSpawn: (child) => reaper.watch(child.pid),
  });
  stray = { port, stop: server.stop };
  [cluster, sentinels] = await Promise.all([
    startCluster({ primaries: 1, tls: certificates.settings }),
    startSentinels({ tls: certificates.settings }),
  ]);
  for (const admin of [0, 1].flatMap((i) => [cluster.admin(i), sentinels.admin(i)]))
    await admin.call('ACL', 'SETUSER', USER, 'on', `>${PASSWORD}`, ...RULES);
});
afterAll(async () => {
  await Promise.all([cluster.stop(), sentinels.stop(), stray.stop()]);
  rmSync(dir, { recursive: true, force: true });
  reaper.dismiss();
});

const asUser = (url: string) => url.replace('://', `://${USER}:${encodeURIComponent(PASSWORD)}@`);

/** Runs a process that trusts the authority given, or nobody we know. @returns what it printed */
async function run(file: string, url: string, ca?: string): Promise<unknown> {
  const env = { ...process.env, REDIS_URL: url, NODE_OPTIONS: '', ...(ca && { NODE_EXTRA_CA_CERTS: ca }) };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: ROOT, env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}
const use = async (url: string, ca?: string) =>
  run(await bundleProcess(join(import.meta.dirname, 'testing/use-redis-process.ts')), url, ca);
const check = async (url: string, ca?: string) =>
  run(await bundleProcess(join(import.meta.dirname, 'testing/check-redis-process.ts')), url, ca);

const strangers = async (admin: Redis) => String(await admin.call('ACL', 'LOG')).includes(USER);

it.each([
  ['a cluster', () => cluster, 1],
  ['Sentinels', () => sentinels, 1],
] as const)(
  '[K1 L1] %s behind TLS, with a user and a password: every kind of connection',
  async (_, servers, replicas) => {
    const url = asUser(servers().url);
    expect(await use(url, certificates.ca)).toEqual({
      probed: ['unknown_sale'],
      cached: null,
      heard: 'heard',
      answered: Array(replicas).fill('PONG'),
      waited: expect.any(Number),
      read: null,
    });
    expect(await strangers(servers().admin(0))).toBe(false);
    const checked = (await check(url, certificates.ca)) as { warnings: string[] };
    expect(checked.warnings?.filter((text) => !text.includes('primaries'))).toEqual([]);
  },
);

it('[K1 L1] a certificate of nobody’s, one for another host, a wrong password: one sentence each, at start', async () => {
  const untrusted =
    /^Redis at 127\.0\.0\.1:\d+ can't be used \(its certificate is signed by nobody this machine trusts: put .* NODE_EXTRA_CA_CERTS\): correct REDIS_URL, or unset it to use the embedded Redis\.$/;
  for (const { url } of [cluster, sentinels])
    expect(await check(asUser(url))).toEqual({ problem: expect.stringMatching(untrusted) });
  const elsewhere = `rediss://127.0.0.1:${stray.port}`;
  expect(await check(elsewhere, certificates.ca)).toEqual({ problem: expect.stringMatching(untrusted) });
  expect(await check(elsewhere, other.ca)).toEqual({
    problem: expect.stringContaining('(its certificate is for another host name)'),
  });
  for (const { url } of [cluster, sentinels]) {
    const wrong = await check(url.replace('://', `://${USER}:wrong@`), certificates.ca);
    expect(wrong).toEqual({ problem: expect.stringContaining('(the password or the user name is wrong)') });
    expect(JSON.stringify(wrong)).not.toContain('wrong@');
  }
  const plain = await check(cluster.url.replace('rediss', 'redis'), certificates.ca);
  expect(plain).toEqual({ problem: expect.stringContaining('it speaks TLS there: write rediss') });
});
