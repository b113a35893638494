import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { untilListening } from '@/tools/harness/until-listening';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import type { BenchContext } from '../bench-context';

const PLACES = ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];
const START_TIMEOUT_MS = 5_000;

/** Finds the nginx of this machine; null if there is none. */
export function findNginx(): { binary: string; version: string } | null {
  for (const binary of PLACES) {
    const run = spawnSync(binary, ['-v'], { encoding: 'utf8' });
    if (run.status === 0) return { binary, version: run.stderr.trim().replace(/^.*nginx\//, '') };
  }
  return null;
}

/**
 * Starts nginx with one worker and no access log until the figure is over. It serves `/page.html` to clients that accept
 * gzip, from a file that it keeps. @returns its port
 */
export async function startNginx(
  { product: { dir, watch }, atEnd }: BenchContext,
  binary: string,
  gzipped: Buffer,
): Promise<number> {
  const port = await anyFreePort();
  const site = join(dir, 'nginx-site');
  mkdirSync(site, { recursive: true });
  for (const folder of [dir, site]) chmodSync(folder, 0o755);
  writeFileSync(join(site, 'page.html'), '');
  writeFileSync(join(site, 'page.html.gz'), gzipped);
  const config = join(dir, 'nginx.conf');
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(dir, `nginx-${name}`)};`,
  );
  writeFileSync(
    config,
    `daemon off; master_process off; worker_processes 1; pid ${join(dir, 'nginx.pid')}; error_log ${join(dir, 'nginx.log')};
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=16; etag on; gzip_static on;
  types { text/html html; } ${temp.join(' ')}
  server { listen 127.0.0.1:${port}; root ${site}; }
}
`,
  );
  const child = spawn(binary, ['-p', dir, '-e', join(dir, 'nginx.log'), '-c', config], { stdio: 'ignore' });
  child.once('error', () => {});
  watch(child.pid);
  atEnd(() => child.kill());
  await untilListening('nginx', port, START_TIMEOUT_MS);
  return port;
}
