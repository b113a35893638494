import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is to be told when a connection breaks; one listener for each, however many requests it has brought. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Tells once when an exchange is over: its answer has gone out, or its connection has broken. `close` of the response alone is
 * not enough: one that waits behind another answer on its connection never hears that this has broken.
 */
export function whenOver(
  { socket }: Pick<IncomingMessage, 'socket'>,
  response: ServerResponse,
  tell: () => void,
): void {
  const open = waiting.get(socket) ?? follow(socket);
  const over = () => {
    if (open.delete(over)) tell();
  };
  open.add(over);
  response.once('close', over);
}

function follow(socket: Socket): Set<() => void> {
  const open = new Set<() => void>();
  waiting.set(socket, open);
  socket.once('close', () => {
    for (const over of open) over();
  });
  return open;
}
