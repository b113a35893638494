import type { Redis } from 'ioredis';

/**
 * Writes the commands that `send` gives to the connection in one piece. Each alone costs us a system call, and Redis a
 * turn of its event loop, at the end of which it syncs its file.
 * @param send sends before it returns
 */
export function writeTogether({ stream }: Redis, send: () => void): void {
  // There is none before the first connection: the commands wait in the client then.
  stream?.cork();
  try {
    send();
  } finally {
    stream?.uncork();
  }
}
