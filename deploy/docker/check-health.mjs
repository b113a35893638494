import { readdirSync, readFileSync } from 'node:fs';
import { fromHere } from '../../scripts/infra/settings.mjs';

/**
 * The image's health check: asks the role that runs in this container whether it is alive, or another path, such as
 * `/readyz`. Exit code 0: yes, or nothing runs here that could be asked; 1: no.
 */
const { env } = process;
const ROLES = {
  'seckill-server.mjs': { host: env.SECKILL_HOST, port: env.PORT || 3000 },
  'seckill-worker.mjs': { host: env.METRICS_HOST, port: env.METRICS_PORT || 9464 },
  'seckill-executor.mjs': { host: env.EXECUTOR_HOST, port: env.EXECUTOR_PORT || 8288 },
};
const TIMEOUT_MS = 3_000;
const [, , path = '/livez'] = process.argv;

const lines = readdirSync('/proc')
  .filter((name) => /^\d+$/.test(name))
  .map(commandOf);
const file = Object.keys(ROLES).find((name) => lines.some((line) => line.includes(`/${name}\0`)));
if (file) {
  const { host, port } = ROLES[file];
  const answer = await fetch(`http://${fromHere(host)}:${port}${path}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(({ cause, message }) => ({ ok: false, status: cause?.message ?? message }));
  if (!answer.ok) console.error(`${path}: ${answer.status}`);
  process.exitCode = answer.ok ? 0 : 1;
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
