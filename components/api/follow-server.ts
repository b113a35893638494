interface FollowOptions<T> {
  url: string;
  /** After this many ms of silence the connection counts as dead, even if it still looks open. */
  silenceMs: number;
  onMessage: (message: T) => void;
  /** The connection lives, and there is nothing new. */
  onBeat: () => void;
  /** No events arrive for now: the browser reconnects by itself, when the server said so. */
  onBreak: () => void;
}

/**
 * Follows the server's events over a connection of this window, until `signal` ends it, the browser gives up, or the
 * connection only looks alive.
 * @returns whether any message came
 */
export function followServer<T>(options: FollowOptions<T>, signal: AbortSignal): Promise<boolean> {
  const { url, silenceMs, onMessage, onBeat, onBreak } = options;
  return new Promise((resolve) => {
    const source = new EventSource(url);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cameAny = false;
    const end = () => {
      clearTimeout(timer);
      source.close();
      signal.removeEventListener('abort', end);
      onBreak();
      resolve(cameAny);
    };
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(end, silenceMs);
    };
    heard();
    signal.addEventListener('abort', end);
    source.onmessage = ({ data }: MessageEvent<string>) => {
      heard();
      cameAny = true;
      onMessage(JSON.parse(data) as T);
    };
    source.addEventListener('beat', () => {
      heard();
      onBeat();
    });
    source.onerror = () => {
      onBreak();
      if (source.readyState === EventSource.CLOSED) end();
    };
  });
}
