import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { hasEnded, stopChild } from '../../../scripts/infra/processes.mjs';
import { startReaper } from '../../../scripts/infra/reaper.mjs';
import { selfSigned } from './self-signed';

export const SHOP = 'shop.example.com';
export const PURCHASE_API = 'buy.example.com';
export const STATIC_FILES = 'static.example.com';
const SHIPPED = join(import.meta.dirname, '..');
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

export type Edge = {
  /** The port for clients that come directly, without a trusted proxy. */
  port: number;
  /** The socket for a proxy that is trusted to name its client. */
  proxySocket: string;
  /** The port without TLS. */
  plainPort: number;
  certificate: string;
  stop: () => Promise<void>;
};

/**
 * For tests: starts a real nginx with the shipped configuration; it fits site.conf and web-servers.conf to this
 * machine, as a reader of deploy/README.md would. The caller stops it.
 * @param binary nginx. @param webServers origins of the web processes.
 * @param maxConnections per client, for a test that can't open as many as the shipped limit.
 */
export async function startEdge(binary: string, webServers: string[], maxConnections = 1_200): Promise<Edge> {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-edge-'));
  // If we are root, nginx's workers run as another user and have to enter this folder.
  chmodSync(dir, 0o711);
  const reaper = startReaper(dir);
  const [port, plainPort] = [await anyFreePort(), await anyFreePort()];
  const proxySocket = join(dir, 'proxy.sock');
  const { certificate, key } = selfSigned([SHOP, PURCHASE_API, STATIC_FILES]);
  cpSync(SHIPPED, dir, { recursive: true, filter: (file) => file === SHIPPED || file.endsWith('.conf') });
  writeFileSync(join(dir, 'certificate.pem'), certificate);
  writeFileSync(join(dir, 'key.pem'), key, { mode: 0o600 });
  writeFileSync(
    join(dir, 'web-servers.conf'),
    webServers.map((origin) => `server ${new URL(origin).host} max_fails=3 fail_timeout=2s;\n`).join(''),
  );
  adapt(join(dir, 'site.conf'), [
    [/\/etc\/ssl\/seckill\/fullchain\.pem/, join(dir, 'certificate.pem')],
    [/\/etc\/ssl\/seckill\/privkey\.pem/, join(dir, 'key.pem')],
    [/\/var\/(log\/nginx|cache)/g, dir],
    [/# set_real_ip_from 192.*/, 'set_real_ip_from unix:;'],
    [/ *listen \[::\].*\n/g, ''],
    [/listen 443 (.*);/g, `listen 127.0.0.1:${port} $1; listen unix:${proxySocket} $1;`],
    [/listen 80( default_server)?;/g, `listen 127.0.0.1:${plainPort}$1;`],
    [/^/, TEMPORARY.map((name) => `${name}_temp_path ${join(dir, name)};\n`).join('')],
  ]);
  adapt(join(dir, 'hot-routes.conf'), [
    [/limit_conn connections_of_client 1200;/, `limit_conn connections_of_client ${maxConnections};`],
  ]);

  const log = join(dir, 'error.log');
  const args = ['-p', dir, '-e', log, '-c', join(dir, 'nginx.conf')];
  const settings = ['-g', `daemon off; pid ${join(dir, 'nginx.pid')};`];
  execFileSync(binary, [...args, ...settings, '-t'], { stdio: 'pipe' });
  const output = openSync(log, 'a');
  const child = spawn(binary, [...args, ...settings], { stdio: ['ignore', output, output] });
  closeSync(output);
  reaper.watch(child.pid);
  // nginx opens one after another: a client may use each of them.
  for (const where of [{ port }, { port: plainPort }, { path: proxySocket }])
    await untilListening(child, where, log);
  return {
    port,
    proxySocket,
    plainPort,
    certificate,
    async stop() {
      await stopChild(child);
      rmSync(dir, { recursive: true, force: true });
      reaper.dismiss();
    },
  };
}

/** A port of this machine, or the path of a Unix socket. */
type Where = { port: number } | { path: string };

function adapt(file: string, changes: [RegExp, string][]): void {
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of changes) {
    if (text.search(from) === -1) throw new Error(`${file} has no ${from}`);
    text = text.replace(from, to);
  }
  writeFileSync(file, text);
}

async function untilListening(child: ChildProcess, where: Where, log: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await isListening(where))) {
    if (hasEnded(child) || Date.now() > deadline) {
      await stopChild(child);
      throw new Error(`nginx did not start: ${readFileSync(log, 'utf8')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const isListening = (where: Where) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', ...where }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
