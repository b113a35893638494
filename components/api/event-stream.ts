import { type BackoffPolicy, backoffMs } from './backoff';

interface StreamOptions<T> {
  /** Asked anew each time it is opened. */
  url: () => string;
  /** After this long without a word, ms, the connection is taken for dead, whatever it says of itself. */
  silenceMs: number;
  /** How long to leave the server alone after a refusal: no room, signed out, a proxy in the way. */
  refused: BackoffPolicy;
  onMessage: (message: T) => void;
  /** Whether news arrives by itself right now. */
  onHealth: (isHealthy: boolean) => void;
}

/**
 * Follows the server's events until it is closed. The browser itself comes back after a connection that ended, when the
 * server said so; what it gives up on, or what only looks alive, is opened anew here.
 * @returns what closes it
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
      // Not before the first message: a proxy may let the headers through and keep the rest.
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
