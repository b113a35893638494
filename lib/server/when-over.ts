import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Exchange = { isOver: boolean; tells: (() => void)[] };

const exchanges = new WeakMap<ServerResponse, Exchange>();
/** Functions that end a connection's unfinished exchanges. */
const open = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once when an exchange is over: its answer has gone out, or its connection has broken. A response behind
 * another answer gets no `close` of its own when the connection breaks. All callers share one listener: Node itself
 * needs seven, and warns about more than ten.
 */
export function whenOver(
  { socket }: Pick<IncomingMessage, 'socket'>,
  response: ServerResponse,
  tell: () => void,
): void {
  const exchange = exchanges.get(response) ?? follow(socket, response);
  if (exchange.isOver) tell();
  else exchange.tells.push(tell);
}

function follow(socket: Socket, response: ServerResponse): Exchange {
  const exchange: Exchange = { isOver: false, tells: [] };
  const others = open.get(socket) ?? followSocket(socket);
  const end = () => {
    others.delete(end);
    exchange.isOver = true;
    for (const tell of exchange.tells.splice(0)) tell();
  };
  exchanges.set(response, exchange);
  others.add(end);
  response.once('close', end);
  return exchange;
}

function followSocket(socket: Socket): Set<() => void> {
  const ends = new Set<() => void>();
  open.set(socket, ends);
  socket.once('close', () => {
    for (const end of ends) end();
  });
  return ends;
}
