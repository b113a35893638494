/** Tabs in the background give their connection back: a browser has six for the whole shop where there is no HTTP/2. */
const HIDDEN_MS = 5000;

/**
 * Keeps something going while somebody can see the page.
 * @param start begins it, and returns what ends it
 * @returns what ends all of it
 */
export function whileVisible(start: () => () => void): () => void {
  let stop: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const shut = () => {
    stop?.();
    stop = null;
  };
  const onVisibility = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'hidden') timer = setTimeout(shut, HIDDEN_MS);
    else stop ??= start();
  };
  onVisibility();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibility);
    shut();
  };
}
