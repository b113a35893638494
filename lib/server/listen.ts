import type { ListenOptions, Server } from 'node:net';

/** How many connections may wait to be accepted: at the start of a sale they all come at once. */
export const BACKLOG = 4_096;

/** Makes a server listen. @throws the error that prevents it, such as a port in use. */
export function listen(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
