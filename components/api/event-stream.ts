import { type BackoffPolicy, backoffMs } from './backoff';

interface StreamOptions<T> {
  /** Called again each time the stream is opened. */
  url: () => string;
  /** After this many ms of silence the connection counts as dead, even if it still looks open. */
  silenceMs: number;
  /** How long to leave the server alone after a refusal: no room, signed out, or a proxy in between. */
  refused: BackoffPolicy;
  onMessage: (message: T) => void;
  /** Tells whether events arrive right now without polling. */
  onHealth: (isHealthy: boolean) => void;
}

/**
 * Follows the server's events until it is closed. The browser reconnects by itself after a connection ends, when the
 * server said so; this function opens a new connection when the browser gives up or the connection only looks alive.
 * @returns a function that closes the stream
 */
export function openEventStream<T>(options: StreamOptions<T>): () => void {
  const { url, silenceMs, refused, onMessage, onHealth } = options;
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let refusals = 0;

  const reopen = () => {
    source?.close();
    onHealth(false);
    refusals += 1;
    clearTimeout(timer);
    timer = setTimeout(open, backoffMs(refused, refusals));
  };
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(reopen, silenceMs);
  };
  const open = () => {
    source = new EventSource(url());
    heard();
    source.onmessage = ({ data }: MessageEvent<string>) => {
      heard();
      refusals = 0;
      onMessage(JSON.parse(data) as T);
      // Not healthy before the first message: a proxy may let the headers through and hold back the rest.
      onHealth(true);
    };
    source.addEventListener('beat', heard);
    source.onerror = ({ target }) => {
      onHealth(false);
      if ((target as EventSource).readyState === EventSource.CLOSED) reopen();
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
    onHealth(false);
  };
}
