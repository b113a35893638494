export type SmallAnswer = {
  /** The HTTP status. */
  status: number;
  /** The body, read as JSON; undefined if it is none. */
  body: unknown;
};

/**
 * Asks another server for a small JSON answer, within a time and a size for the whole of it, and follows no redirect.
 * @param withinMs until the last byte; @param maxBytes of the body
 * @throws Error if the answer doesn't come in time, is too large, or leads elsewhere
 */
export async function askSmallJson(
  url: string,
  { withinMs, maxBytes, ...init }: RequestInit & { withinMs: number; maxBytes: number },
): Promise<SmallAnswer> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), withinMs);
  const { signal } = giveUp;
  try {
    const headers = { accept: 'application/json', ...(init.headers as Record<string, string>) };
    const response = await fetch(url, { ...init, headers, signal, redirect: 'error' });
    const text = await readSmall(response, maxBytes, signal);
    return { status: response.status, body: parsed(text) };
  } finally {
    clearTimeout(timer);
  }
}

async function readSmall(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  // Node 20 does not always end a body that is being read when its request is aborted.
  signal.addEventListener('abort', () => void reader.cancel().catch(() => null));
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value: chunk } = await reader.read();
    if (done) break;
    length += chunk.length;
    if (length > maxBytes) {
      await reader.cancel();
      throw new Error(`the answer has more than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  // A body that was cut off by the time limit ends like a whole one.
  signal.throwIfAborted();
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
