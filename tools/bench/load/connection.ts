import type { Socket } from 'node:net';
import { openSocket } from './open-socket';
import { createReplyReader } from './reply-reader';

const RECONNECT_MS = 20;

/** One keep-alive connection with at most one request in flight. It opens itself again when the server closes it. */
export type Connection = {
  isIdle(): boolean;
  /** Sends one complete HTTP/1.1 request. `onDone` gets the reply's status, or 0 when the connection broke first. */
  send(request: string, onDone: (status: number) => void): void;
  close(): void;
};

/** Opens one connection. @param onIdle called whenever the connection can take a request again after it was broken. */
function openConnection(port: number, onIdle: (connection: Connection) => void): Promise<Connection> {
  let socket: Socket;
  let done: ((status: number) => void) | null = null;
  let isOpen = false;
  let isClosed = false;

  const answer = (status: number) => {
    const callback = done;
    done = null;
    callback?.(status);
  };
  const open = (onOpen: () => void) => {
    socket = openSocket(port, createReplyReader(answer));
    socket.once('connect', () => {
      isOpen = true;
      onOpen();
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      isOpen = false;
      answer(0);
      if (!isClosed) setTimeout(() => !isClosed && open(() => onIdle(connection)), RECONNECT_MS);
    });
  };
  const connection: Connection = {
    isIdle: () => isOpen && done === null,
    send(request, onDone) {
      done = onDone;
      socket.write(request, 'latin1');
    },
    close() {
      isClosed = true;
      socket.destroy();
    },
  };
  return new Promise((resolve) => open(() => resolve(connection)));
}

/** Opens `count` connections, a few at a time, because a listen queue is short. @throws when that takes more than 20 s. */
export async function openConnections(
  port: number,
  count: number,
  onIdle: (connection: Connection) => void,
): Promise<Connection[]> {
  const opened: Connection[] = [];
  const deadline = Date.now() + 20_000;
  while (opened.length < count) {
    const some = Array.from({ length: Math.min(64, count - opened.length) }, () =>
      openConnection(port, onIdle),
    );
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`port ${port} takes no connections`)), deadline - Date.now()).unref();
    });
    opened.push(...(await Promise.race([Promise.all(some), late])));
  }
  return opened;
}
