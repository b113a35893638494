import { backoffMs } from '@/components/api/backoff';
import type { SaleState } from '@/components/api/types';

/** The server says something every 15 s; after this long the connection is taken for dead, whatever it says of itself. */
const SILENCE_MS = 40_000;
/** After a refusal (no room, no such thing, a proxy in the way): the page polls meanwhile. */
const REFUSED = { baseMs: 10_000, capMs: 120_000 };

interface StreamHandlers {
  onState: (state: SaleState) => void;
  /** Whether what happens to the sale arrives by itself right now. */
  onHealth: (isHealthy: boolean) => void;
}

/**
 * Follows a sale by the server's events until it is closed. The browser itself comes back after a connection that ended,
 * when the server said so; what it gives up on, or what only looks alive, is opened anew here.
 * @returns what closes it
 */
export function openStateStream(url: string, { onState, onHealth }: StreamHandlers): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let refusals = 0;

  const reopen = () => {
    source?.close();
    onHealth(false);
    refusals += 1;
    clearTimeout(timer);
    timer = setTimeout(open, backoffMs(REFUSED, refusals));
  };
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(reopen, SILENCE_MS);
  };
  const open = () => {
    source = new EventSource(url);
    heard();
    source.onmessage = ({ data }: MessageEvent<string>) => {
      heard();
      refusals = 0;
      onState(JSON.parse(data) as SaleState);
      // Not before the first state: a proxy may let the headers through and keep the rest.
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
