import type { Socket } from 'node:net';
import { openSocket } from './open-socket';

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;
const STATUS_AT = 9;

export type Reply = { status: number; body: string };

type Waiting = (reply: Reply) => void;

/**
 * One browser's connection: sends one request at a time and opens itself again when the server has closed it.
 * @param localAddress of the loopback network, so that people count as different clients
 * @param onRead called whenever something has come
 */
export function createPersonConnection(port: number, localAddress: string, onRead: () => void) {
  let socket: Socket | null = null;
  let waiting: Waiting | null = null;
  let text = '';
  /** True if the connection has brought a reply before. */
  let isReused = false;

  const answer = (reply: Reply) => {
    const tell = waiting;
    waiting = null;
    text = '';
    isReused = true;
    tell?.(reply);
  };
  const read = (bytes: Buffer) => {
    onRead();
    text += bytes.toString('latin1');
    const end = text.indexOf(HEAD_END);
    if (end < 0) return;
    const length = Number(LENGTH.exec(text.slice(0, end))?.[1] ?? 0);
    const body = text.slice(end + HEAD_END.length);
    if (body.length >= length) answer({ status: Number(text.slice(STATUS_AT, STATUS_AT + 3)), body });
  };
  const open = () => {
    const opened = openSocket(port, read, localAddress);
    opened.on('error', () => {});
    opened.once('close', () => {
      if (socket === opened) socket = null;
      answer({ status: 0, body: '' });
    });
    isReused = false;
    return opened;
  };

  const send = (request: string) =>
    new Promise<Reply>((resolve) => {
      waiting = resolve;
      socket ??= open();
      socket.write(request, 'latin1');
    });

  return {
    /**
     * Sends a complete request. Sends it once more if the server has just closed the kept connection, as browsers do.
     * Status 0: the connection broke before the reply.
     */
    async ask(request: string): Promise<Reply> {
      const wasKept = socket !== null && isReused;
      const reply = await send(request);
      return reply.status === 0 && wasKept ? send(request) : reply;
    },
    close() {
      socket?.destroy();
      socket = null;
    },
  };
}

export type EventStream = {
  /** The status of the answer; 0: none came. */
  answered: Promise<number>;
  /** Waits for an event whose data `pick` finds something in. */
  find: (pick: (data: string) => string | null) => Promise<string>;
  close: () => void;
};

/** Follows a sale's events. @param onRead called whenever something has come */
export function followEvents(
  port: number,
  localAddress: string,
  path: string,
  onRead: () => void,
): EventStream {
  let tail = '';
  let latest = '';
  let isOpen = false;
  let look = () => {};
  let open: (status: number) => void = () => {};
  const answered = new Promise<number>((resolve) => {
    open = resolve;
  });
  const read = (bytes: Buffer) => {
    onRead();
    tail += bytes.toString('latin1');
    if (!isOpen) {
      const end = tail.indexOf(HEAD_END);
      if (end < 0) return;
      isOpen = true;
      open(Number(tail.slice(STATUS_AT, STATUS_AT + 3)));
      tail = tail.slice(end);
    }
    for (let end = tail.indexOf('\n\n'); end >= 0; end = tail.indexOf('\n\n')) {
      const at = tail.lastIndexOf('data: ', end);
      if (at >= 0) latest = tail.slice(at + 6, end);
      tail = tail.slice(end + 2);
    }
    look();
  };
  const socket = openSocket(port, read, localAddress);
  socket.on('error', () => {});
  socket.once('close', () => open(0));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`, 'latin1');
  return {
    answered,
    find: (pick) =>
      new Promise((resolve) => {
        look = () => {
          const found = pick(latest);
          if (found === null) return;
          look = () => {};
          resolve(found);
        };
        look();
      }),
    close: () => socket.destroy(),
  };
}
