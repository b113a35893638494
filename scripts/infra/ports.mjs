import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Below the ports that Linux (32768 up) and macOS (49152 up) give to outgoing connections: one of thousands of those
 * may have any other port just when a server wants it, and a client that connects to a port before a server listens
 * there may even meet itself.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
/** How long a caller may take to listen on a port after it got it or let go of it. */
const CLAIM_MS = 30_000;
const CLAIMS = join(tmpdir(), 'seckill-ports');

/** @param {number} port @param {string} [host] @returns {Promise<boolean>} whether a server can listen there now. */
export const isFree = async (port, host) => (await whyNot(port, host)) === undefined;

/**
 * @param {number} port 0: any @param {string} [host]
 * @returns {Promise<string | undefined>} the error that prevents a server from listening there, such as `EADDRINUSE`.
 */
export function whyNot(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Listens on a loopback port for a part that needs it later, perhaps in minutes, so that no other process can take it
 * meanwhile.
 * @param {number} port @returns {Promise<() => Promise<void>>} lets go of it; does nothing if the port was not
 *   available.
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
 * @param {string} [owner] may get the same port again
 * @returns {Promise<number>} a port that is free on loopback and that this function gives to nobody else on this
 *   machine within half a minute.
 */
export async function anyFreePort(owner = `${process.pid} ${Math.random()}`) {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (claimPort(port, owner) && (await isFree(port, '127.0.0.1'))) return port;
  }
}

/**
 * Returns the remembered or preferred port where that is free, otherwise the next free one above it.
 * @param {number} preferred
 * @param {{ host?: string, taken?: Set<number>, owner?: string }} [options] `taken`: ports already promised to
 *   others; `owner`: may get the same port again.
 */
export async function freePortFrom(preferred, { host, taken = new Set(), owner = '' } = {}) {
  for (let port = preferred; port < Math.min(preferred + 100, 65_536); port += 1) {
    if (!taken.has(port) && (await isFree(port, host)) && claimPort(port, owner)) return port;
  }
  return anyFreePort();
}

/**
 * Records for half a minute that a port is promised.
 * @param {number} port @param {string} owner the same owner may claim it again
 * @returns {boolean} false if it is promised to another owner
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
    // A folder that takes no claim holds none either.
    return error.code !== 'EEXIST' || renewClaim(file, owner);
  }
}

function renewClaim(file, owner) {
  try {
    if (readFileSync(file, 'utf8') !== owner) return false;
    utimesSync(file, new Date(), new Date());
  } catch {
    // Another process has just removed the claim as too old.
  }
  return true;
}
