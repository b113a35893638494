import { type BackoffPolicy, backoffMs } from './backoff';
import { followServer } from './follow-server';

interface StreamOptions<T> {
  /** Called again each time the stream is opened. Windows share a stream whose address differs in its query alone. */
  url: () => string;
  /** After this many ms of silence the stream counts as dead, even if it still looks open. */
  silenceMs: number;
  /** How long to leave the server alone after a refusal: no room, signed out, or a proxy in between. */
  refused: BackoffPolicy;
  /** @param ageMs how long ago the message came, where another window had it before this one followed */
  onMessage: (message: T, ageMs: number) => void;
  /** Tells whether events arrive right now without polling. */
  onHealth: (isHealthy: boolean) => void;
}

/** A message from the window that has the connection to the others. */
interface News<T> {
  path: string;
  isHealthy: boolean;
  came?: { message: T; ageMs: number };
}

/** Sent by a window that begins to follow: it asks for the last message. */
interface Question {
  asks: string;
}

/** The name of the lock of the window that has the connection, and of the channel to the others. */
const NAME = 'seckill:stream';

/**
 * Follows the server's events until it is closed. All windows of a browser share one connection (decision 107): the window
 * that holds the lock tells the others what comes, those that want something else poll, and when it goes the next has its
 * turn. A browser without locks (plain http on another host) opens no stream.
 * @returns a function that closes the stream
 */
export function openEventStream<T>(options: StreamOptions<T>): () => void {
  if (!('locks' in navigator)) return () => {};
  const { onHealth } = options;
  const over = new AbortController();
  const channel = new BroadcastChannel(NAME);
  const path = options.url().split('?')[0] ?? '';
  /** The last message over a connection of this window's own, while that works. */
  let last: { message: T; at: number } | null = null;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const take = ({ isHealthy, came }: News<T>) => {
    clearTimeout(silence);
    if (came) options.onMessage(came.message, came.ageMs);
    // Not healthy before the first message: a proxy may let the headers through and hold back the rest.
    onHealth(isHealthy);
  };
  channel.onmessage = ({ data }: MessageEvent<News<T> | Question>) => {
    if ('asks' in data) {
      if (!last || data.asks !== path) return;
      const came = { message: last.message, ageMs: performance.now() - last.at };
      channel.postMessage({ path, isHealthy: true, came } satisfies News<T>);
    } else if (!last) {
      take(data.path === path ? data : { path, isHealthy: false });
      silence = setTimeout(onHealth, options.silenceMs, false);
    }
  };
  channel.postMessage({ asks: path } satisfies Question);

  const tell = (message?: T) => {
    if (message !== undefined) last = { message, at: performance.now() };
    const came = message === undefined ? undefined : { message, ageMs: 0 };
    const news = { path, isHealthy: last !== null, came };
    channel.postMessage(news satisfies News<T>);
    take(news);
  };
  const onBreak = () => {
    last = null;
    tell();
  };
  const lead = () => {
    // The others learn at once whether it is still what they follow that comes.
    onBreak();
    const way = { url: options.url(), silenceMs: options.silenceMs, onMessage: tell, onBeat: tell, onBreak };
    return followServer<T>(way, over.signal);
  };
  void takeTurns(lead, options.refused, over.signal);

  return () => {
    over.abort();
    clearTimeout(silence);
    channel.close();
    onHealth(false);
  };
}

/**
 * Leads whenever it is this window's turn. Where the server refuses, the next window has its turn, which may want something
 * else.
 */
async function takeTurns(
  lead: () => Promise<boolean>,
  refused: BackoffPolicy,
  signal: AbortSignal,
): Promise<void> {
  let refusals = 0;
  while (!signal.aborted) {
    // Fails when the stream is closed first, and where the visitor has forbidden the site to store anything.
    const cameAny = await navigator.locks.request(NAME, { signal }, lead).catch(() => false);
    refusals = cameAny ? 1 : refusals + 1;
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, backoffMs(refused, refusals)));
  }
}
