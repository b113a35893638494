import type { ListenOptions, Server } from 'node:net';

/** Connections that may wait to be accepted: at the start they come all at once. */
export const BACKLOG = 4_096;

/** @throws what keeps the server from listening, such as a port in use. */
export function listen(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
