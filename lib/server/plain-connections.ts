import 'server-only';
import type { Socket } from 'node:net';
import type { Reply } from '@/lib/http/reply';
import type { FoundRoute } from './direct-routes';
import type { Limits } from './limits';
import { type PlainRequest, readPlainRequest } from './plain-request';
import type { Wire, WirePage } from './wire';

/** A reply record or a kept page, or a promise of one; null: node:http answers. */
export type PlainAnswer = Reply | WirePage | Promise<Reply | WirePage> | null;

export type PlainConnections = {
  /** Takes a new connection. */
  take: (socket: Socket) => void;
  /** From now on every answer closes its connection. */
  beginDrain: () => void;
  /** Closes connections without a request, but not those that are so new that their first one is on its way. */
  closeIdle: () => void;
  closeAll: () => void;
};

type PlainHandlers = {
  /** Finds what is answered without Next, though it is not hot. */
  findDirect: (method: string, target: string) => FoundRoute | null;
  /** Decides at once; never throws, its promise never rejects. */
  answer: (request: PlainRequest, socket: Socket) => PlainAnswer;
  /**
   * Opens a sale's stream of events; see `openPlainEvents`.
   * @param leave gives the connection away for good; false if its client has gone or says more
   */
  stream: (
    saleId: string,
    request: PlainRequest,
    socket: Socket,
    leave: () => boolean,
  ) => Promise<Reply | null>;
  /** node:http's own listener for connections. */
  toHttp: (socket: Socket) => void;
};

/** A balancer connects when it has a request. */
const FIRST_REQUEST_MS = 500;

type State = {
  socket: Socket;
  /** When the connection last became idle, or began to wait for its client to read; monotonic ms. */
  since: number;
  /** True if a request has come. */
  hasAsked: boolean;
  isBusy: boolean;
  /** Bytes that came while an answer was under way. */
  held: Buffer | null;
  isEnded: boolean;
};

/** The connections of one server, and what answers their requests. */
type Pool = {
  wire: Wire;
  handlers: PlainHandlers;
  limits: Limits;
  states: Set<State>;
  isDraining: boolean;
};

/**
 * Reads and answers requests without node:http as long as they are plain, and hot or direct. The first other request
 * moves its connection to node:http for good.
 *
 * @param idleTime reads how long an idle connection stays open, ms
 */
export function createPlainConnections(
  wire: Wire,
  handlers: PlainHandlers,
  limits: Limits,
  idleTime: () => number,
): PlainConnections {
  const pool: Pool = { wire, handlers, limits, states: new Set(), isDraining: false };
  setInterval(() => sweep(pool, idleTime()), limits.checkIntervalMs).unref();
  return {
    take: (socket) => take(pool, socket),
    beginDrain() {
      pool.isDraining = true;
    },
    closeIdle() {
      const now = performance.now();
      for (const { socket, isBusy, hasAsked, since } of pool.states) {
        const isNew = !hasAsked && now - since < FIRST_REQUEST_MS;
        if (!isBusy && !isNew && socket.writableLength === 0) socket.destroy();
      }
    },
    closeAll() {
      for (const { socket } of pool.states) socket.destroy();
    },
  };
}

function take(pool: Pool, socket: Socket): void {
  const state: State = {
    socket,
    since: performance.now(),
    hasAsked: false,
    isBusy: false,
    held: null,
    isEnded: false,
  };
  pool.states.add(state);
  socket.on('data', (chunk: Buffer) => {
    if (!state.isBusy && !state.held) {
      read(pool, state, chunk);
      return;
    }
    // The next request came before the answer to the last one; the server handles one at a time.
    state.held = state.held ? Buffer.concat([state.held, chunk]) : chunk;
    socket.pause();
  });
  socket.on('drain', () => {
    state.since = performance.now();
    if (!state.isBusy) goOn(pool, state);
  });
  socket.on('end', () => {
    state.isEnded = true;
    if (!state.isBusy && !state.held) socket.end();
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => pool.states.delete(state));
}

/** Answers the requests of a chunk one after the other, as long as answers are there at once. */
function read(pool: Pool, state: State, chunk: Buffer): void {
  const { limits, handlers } = pool;
  const { socket } = state;
  let rest: Buffer | null = chunk;
  while (rest) {
    const text = rest.toString('latin1', 0, limits.maxPlainBytes);
    const request = readPlainRequest(text, limits, handlers.findDirect);
    if (request?.route?.name === 'events' && request.length === rest.length) {
      void openStream(pool, state, request.route.saleId, request);
      return;
    }
    const answered = request && handlers.answer(request, socket);
    if (!request || !answered) {
      handOver(pool, state, rest);
      return;
    }
    rest = rest.length > request.length ? rest.subarray(request.length) : null;
    if (answered instanceof Promise) {
      state.isBusy = true;
      state.held = rest;
      answered.then((reply) => {
        state.isBusy = false;
        if (!socket.destroyed && write(pool, state, reply, request.isLast, state.held !== null))
          goOn(pool, state);
      });
      return;
    }
    if (!write(pool, state, answered, request.isLast, rest !== null)) {
      state.held = rest;
      return;
    }
  }
}

function goOn(pool: Pool, state: State): void {
  const { held, socket } = state;
  if (held) {
    state.held = null;
    read(pool, state, held);
  }
  if (!state.isBusy && !state.held) socket.resume();
}

/**
 * Writes an answer; true if the connection takes the next request at once. @param hasMore whether one is already
 * there
 */
function write(
  { wire, isDraining }: Pool,
  state: State,
  answer: Reply | WirePage,
  wantsLast: boolean,
  hasMore: boolean,
): boolean {
  const { socket } = state;
  const isLast = wantsLast || isDraining || (state.isEnded && !hasMore);
  state.since = performance.now();
  state.hasAsked = true;
  const isTaken =
    typeof answer.body === 'string'
      ? writeReply(socket, wire.reply(answer as Reply, isLast))
      : socket.write(wire.page(answer as WirePage, isLast));
  if (isLast) socket.end();
  // The server stops reading from a client that does not read its answers.
  else if (!isTaken) socket.pause();
  return isTaken && !isLast;
}

/** Lets a stream have the connection. The end of the connection ends the stream, so no request can follow. */
async function openStream(pool: Pool, state: State, saleId: string, request: PlainRequest): Promise<void> {
  const { socket } = state;
  state.isBusy = true;
  let isGiven = false;
  const leave = () => {
    if (socket.destroyed || state.isEnded || state.held) return false;
    forget(pool, state);
    socket.on('error', () => socket.destroy());
    isGiven = true;
    return true;
  };
  const refusal = await pool.handlers.stream(saleId, request, socket, leave);
  state.isBusy = false;
  // There is nobody to answer, or a stream that has begun can't be refused any more.
  if (isGiven ? refusal : !refusal) socket.destroy();
  else if (refusal && !socket.destroyed && write(pool, state, refusal, request.isLast, state.held !== null))
    goOn(pool, state);
}

function handOver(pool: Pool, state: State, chunk: Buffer): void {
  const { socket } = state;
  const { toHttp } = pool.handlers;
  forget(pool, state);
  if (state.isEnded) {
    // The bytes can't be pushed back any more: node:http gets them, and the end.
    toHttp(socket);
    socket.emit('data', chunk);
    socket.emit('end');
    return;
  }
  socket.pause();
  socket.unshift(chunk);
  toHttp(socket);
  socket.resume();
}

function forget({ states }: Pool, state: State): void {
  states.delete(state);
  for (const event of ['data', 'end', 'drain', 'error', 'close']) state.socket.removeAllListeners(event);
}

/** Closes connections that were idle, or whose client did not read, for too long. */
function sweep({ states, limits }: Pool, keptMs: number): void {
  const now = performance.now();
  for (const { socket, since, hasAsked, isBusy } of states) {
    if (isBusy) continue;
    const idleMs = now - since;
    if (socket.writableNeedDrain) {
      if (idleMs > limits.silenceTimeoutMs) socket.destroy();
    } else if (idleMs > (hasAsked ? keptMs : Math.min(keptMs, limits.headersTimeoutMs))) socket.destroy();
  }
}

function writeReply(socket: Socket, bytes: string | Buffer): boolean {
  return typeof bytes === 'string' ? socket.write(bytes, 'latin1') : socket.write(bytes);
}
