import type { RouteClass } from '@/lib/metrics/http-meter';

/**
 * Returns the class of a request off the hot routes. There are only a few classes, so that no address becomes a label
 * of a metric.
 */
export function routeClass(target: string): RouteClass {
  const path = target.split('?', 1)[0] as string;
  if (path.startsWith('/api/')) {
    if (path.endsWith('/events') || path.endsWith('/stream')) return 'events';
    return path.startsWith('/api/admin/') ? 'admin' : 'api';
  }
  if (path === '/livez' || path === '/readyz') return 'health';
  return path.startsWith('/_next/') || path.includes('.') ? 'asset' : 'page';
}
