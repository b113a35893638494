import { createServer } from 'node:net';

/** @param {number} port @param {string} [host] @returns {Promise<boolean>} whether it can be listened on now. */
export function isFree(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** @returns {Promise<number>} a port of the system's choice that is free on loopback. */
export function anyFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/**
 * The remembered or preferred port where that is free, the next free one above it otherwise.
 * @param {number} preferred
 * @param {{ host?: string, taken?: Set<number> }} [options] `taken`: ports promised to somebody else already.
 */
export async function freePortFrom(preferred, { host, taken = new Set() } = {}) {
  for (let port = preferred; port < Math.min(preferred + 100, 65_536); port += 1) {
    if (!taken.has(port) && (await isFree(port, host))) return port;
  }
  return anyFreePort();
}
