/** A background tab gives its connection back after this long: without HTTP/2 a browser has six for the whole shop. */
const HIDDEN_MS = 5000;

/**
 * Keeps something running while the page is visible.
 * @param start starts it, and returns a function that stops it
 * @returns a function that stops everything
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
