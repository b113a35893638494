import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Below the ports that Linux (32768 up) and macOS (49152 up) give to outgoing connections: one of thousands of those may
 * have any other port just when a server wants it, and who connects to a port where nobody listens yet may even meet itself.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
/** From being told a port, or letting go of it, until listening on it. */
const CLAIM_MS = 30_000;
const CLAIMS = join(tmpdir(), 'seckill-ports');

/** @param {number} port @param {string} [host] @returns {Promise<boolean>} whether it can be listened on now. */
export const isFree = async (port, host) => (await whyNot(port, host)) === undefined;

/**
 * @param {number} port 0: any @param {string} [host]
 * @returns {Promise<string | undefined>} the error that keeps one from listening there, such as `EADDRINUSE`.
 */
export function whyNot(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Listens on a port of loopback for whoever will need it later, minutes perhaps: nobody else can take it in the meantime.
 * @param {number} port @returns {Promise<() => Promise<void>>} lets go of it; does nothing if the port could not be had.
 */
export function holdPort(port) {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', () => resolve(async () => {}));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      resolve(() => new Promise((done) => server.close(() => done())));
    });
  });
}

/**
 * @param {string} [owner] who may be told the same port again
 * @returns {Promise<number>} a port that is free on loopback and that nobody else on this machine who asks here is told
 * within half a minute.
 */
export async function anyFreePort(owner = `${process.pid} ${Math.random()}`) {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (claimPort(port, owner) && (await isFree(port, '127.0.0.1'))) return port;
  }
}

/**
 * The remembered or preferred port where that is free, the next free one above it otherwise.
 * @param {number} preferred
 * @param {{ host?: string, taken?: Set<number>, owner?: string }} [options] `taken`: ports promised to somebody else
 * already; `owner`: who is told the same port again.
 */
export async function freePortFrom(preferred, { host, taken = new Set(), owner = '' } = {}) {
  for (let port = preferred; port < Math.min(preferred + 100, 65_536); port += 1) {
    if (!taken.has(port) && (await isFree(port, host)) && claimPort(port, owner)) return port;
  }
  return anyFreePort();
}

/**
 * Notes that a port is promised, for half a minute.
 * @param {number} port @param {string} owner the same owner may claim it again
 * @returns {boolean} false if it is promised to somebody else
 */
export function claimPort(port, owner) {
  const file = join(CLAIMS, String(port));
  try {
    mkdirSync(CLAIMS, { recursive: true, mode: 0o777 });
    if (statSync(file, { throwIfNoEntry: false })?.mtimeMs < Date.now() - CLAIM_MS)
      rmSync(file, { force: true });
    writeFileSync(file, owner, { flag: 'wx' });
    return true;
  } catch (error) {
    // Where nothing can be noted, nothing is promised either.
    return error.code !== 'EEXIST' || renewClaim(file, owner);
  }
}

function renewClaim(file, owner) {
  try {
    if (readFileSync(file, 'utf8') !== owner) return false;
    utimesSync(file, new Date(), new Date());
  } catch {
    // It has just been removed, as too old.
  }
  return true;
}
