import type { BrowserContext, Page } from '@playwright/test';

/** Counts the streams that are open in a browser. @returns the windows that have one, and how many had at most */
export function watchStreams(context: BrowserContext) {
  const open = new Map<unknown, Page>();
  const seen = { most: 0 };
  context.on('request', (request) => {
    if (!/\/events(\?|$)/.test(request.url())) return;
    open.set(request, request.frame().page());
    seen.most = Math.max(seen.most, open.size);
  });
  context.on('requestfailed', (request) => open.delete(request));
  context.on('requestfinished', (request) => open.delete(request));
  return { seen, leaders: () => [...open.values()].filter((page) => !page.isClosed()) };
}
