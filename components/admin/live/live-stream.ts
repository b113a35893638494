import { backoffMs } from '@/components/api/backoff';
import { type LiveSample, liveEventsUrl } from './live-api';

/** The server says something every two seconds or so; after this long the connection is taken for dead. */
const SILENCE_MS = 6000;
/** After a refusal (no room, signed out, a proxy in the way): the desk asks meanwhile. */
const REFUSED = { baseMs: 2000, capMs: 30_000 };

interface StreamHandlers {
  /** Epoch ms: until then everything that is drawn is known. */
  since: () => number;
  onSample: (sample: LiveSample) => void;
  /** Whether figures arrive by themselves right now. */
  onHealth: (isHealthy: boolean) => void;
}

/** Follows a sale's figures until it is closed, opened anew as often as needed. @returns what closes it */
export function openLiveStream(saleId: string, { since, onSample, onHealth }: StreamHandlers): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const reopen = () => {
    source?.close();
    onHealth(false);
    failures += 1;
    clearTimeout(timer);
    timer = setTimeout(open, backoffMs(REFUSED, failures));
  };
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(reopen, SILENCE_MS);
  };
  const open = () => {
    source = new EventSource(liveEventsUrl(saleId, since()));
    heard();
    source.onmessage = ({ data }: MessageEvent<string>) => {
      heard();
      failures = 0;
      onSample(JSON.parse(data) as LiveSample);
      onHealth(true);
    };
    source.addEventListener('beat', heard);
    // The browser comes back by itself when the server ended the stream, but not after a refusal.
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
