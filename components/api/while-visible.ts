/** A background tab stops after this long; so a glance at another tab stops nothing. */
const HIDDEN_MS = 5000;

/**
 * Keeps something running while the page is visible. It starts again when the visitor comes back to the page.
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
  // No timer runs in a page that is frozen or kept for the way back: what it held, no other window would get.
  document.addEventListener('freeze', shut);
  window.addEventListener('pagehide', shut);
  window.addEventListener('pageshow', onVisibility);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibility);
    document.removeEventListener('freeze', shut);
    window.removeEventListener('pagehide', shut);
    window.removeEventListener('pageshow', onVisibility);
    shut();
  };
}
