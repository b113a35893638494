import { join } from 'node:path';
import { anyFreePort, claimPort, freePortFrom, holdPort, isFree, whyNot } from './ports.mjs';
import { Problem } from './problem.mjs';
import { isExecutorEmbedded } from './settings.mjs';
import { readJson, writeAtomically } from './write-atomically.mjs';

/** Far from the usual ports, which a developer's own servers use, and from those of outgoing connections. */
const DEFAULTS = { postgres: 15_432, redis: 16_379, executor: 18_288, metrics: 9_464 };

/**
 * @typedef {{ web: number, postgres: number, redis: number, executor: number, metrics: number, note: string, release:
 *   (name: string) => Promise<void>, replace: (name: string) => Promise<number> }} Ports `release` frees a part's
 *   port, which is held until then: installing and building first takes minutes, in which another process would take
 *   it. `replace` finds another port for a part that lost its own all the same.
 */

/**
 * Chooses the port of every part. Uses those of the previous start again where they are free.
 * @param {string} dir data directory
 * @param {NodeJS.ProcessEnv} env PORT, EXECUTOR_PORT, METRICS_PORT and SECKILL_HOST
 * @returns {Promise<Ports>}
 * @throws {Problem} when PORT or EXECUTOR_PORT is taken, or the host is no address of this machine. METRICS_PORT may
 *   be taken: the worker tries it again and again (decision 025).
 */
export async function assignPorts(dir, env) {
  const file = join(dir, 'ports.json');
  const remembered = readJson(file) ?? {};
  const taken = new Set();
  if (env.SECKILL_HOST) await checkHost(env.SECKILL_HOST);
  const web = await webPort(env, dir);
  taken.add(web);
  /** @type {any} one for each part, at the end of the loop */
  const ports = { web };
  for (const [name, fallback] of Object.entries(DEFAULTS)) {
    const asked = name === 'executor' ? env.EXECUTOR_PORT : name === 'metrics' ? env.METRICS_PORT : undefined;
    if (asked && name === 'executor' && isExecutorEmbedded(env))
      await checkExecutorPort(Number(asked), taken, dir);
    const preferred = asked ? Number(asked) : (remembered[name] ?? fallback);
    ports[name] = asked ? preferred : await freePortFrom(preferred, { host: '127.0.0.1', taken, owner: dir });
    taken.add(ports[name]);
  }
  const remember = () => writeAtomically(file, JSON.stringify({ ...ports, web: undefined }));
  remember();
  const held = new Map();
  for (const [name, port] of Object.entries(ports)) if (isPort(port)) held.set(name, await holdPort(port));
  return {
    ...ports,
    note: web === Number(env.PORT || 3000) ? String(web) : `3000 is taken, so ${web}`,
    async release(name) {
      // Other starts on this machine avoid the port until it is used.
      claimPort(ports[name], dir);
      await held.get(name)?.();
    },
    async replace(name) {
      ports[name] = await anyFreePort(dir);
      remember();
      return ports[name];
    },
  };
}

const isPort = (port) => Number.isInteger(port) && port > 0 && port < 65_536;

async function checkHost(host) {
  const code = await whyNot(0, host);
  if (code === undefined) return;
  throw new Problem(
    `SECKILL_HOST=${host} is no address of this machine (${code}): use 127.0.0.1 for this machine alone, 0.0.0.0 for everybody.`,
  );
}

/** The check of the other settings reports a value that is no port at all. */
async function checkExecutorPort(port, taken, owner) {
  if (!isPort(port) || (!taken.has(port) && (await isFree(port, '127.0.0.1')))) return;
  const other = await freePortFrom(DEFAULTS.executor, { host: '127.0.0.1', taken, owner });
  throw new Problem(`EXECUTOR_PORT=${port} is taken: use another, e.g. EXECUTOR_PORT=${other}, or unset it.`);
}

async function webPort(env, owner) {
  const asked = env.PORT ? Number(env.PORT) : undefined;
  if (asked !== undefined && !isPort(asked)) {
    throw new Problem(
      `PORT=${env.PORT} is not a port: use a number from 1 to 65535, e.g. PORT=3000 npm start.`,
    );
  }
  // Another process may listen on loopback only, or on every address: neither may be shadowed.
  const isUsable = async (port) => (await isFree(port)) && (await isFree(port, '127.0.0.1'));
  const first = asked ?? 3000;
  for (let port = first; port < Math.min(first + 100, 65_536); port += 1) {
    if ((await isUsable(port)) && (asked !== undefined || claimPort(port, owner))) return port;
    if (asked !== undefined) {
      if (port < 1024 && process.getuid?.() !== 0) {
        throw new Problem(`Port ${port} is taken or reserved for root: PORT=3000 npm start.`);
      }
      throw new Problem(`Port ${port} is taken: PORT=${await nextUsable(port, isUsable)} npm start.`);
    }
  }
  throw new Problem('Ports 3000 to 3099 are all taken: choose one with PORT=8080 npm start.');
}

async function nextUsable(port, isUsable) {
  let next = port + 1;
  while (next < 65_535 && !(await isUsable(next))) next += 1;
  return next;
}
