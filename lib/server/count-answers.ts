import 'server-only';
import type { ServerResponse } from 'node:http';
import { ABORTED, countRequest, type RouteClass } from '@/lib/metrics/http-meter';
import type { WirePage } from './wire';

/** Counts a request when its answer has been sent. */
export function countAtEnd(name: RouteClass, response: ServerResponse): void {
  const askedAt = performance.now();
  response.once('close', () => {
    const status = response.writableFinished ? response.statusCode : ABORTED;
    // A stream lasts as long as its reader stays, so its duration is not counted.
    countRequest(name, status, name === 'events' ? null : performance.now() - askedAt);
  });
}

/** Counts a page that is sent from memory. */
export function counted(page: WirePage | null): WirePage | null {
  if (page) countRequest('page', page.status, 0);
  return page;
}
