import type { RouteClass } from '@/lib/metrics/http-meter';

/** Which class a request belongs to that is no hot route: few, so that no address becomes a label. */
export function routeClass(target: string): RouteClass {
  const path = target.split('?', 1)[0] as string;
  if (path.startsWith('/api/')) {
    if (path.endsWith('/events') || path.endsWith('/stream')) return 'events';
    return path.startsWith('/api/admin/') ? 'admin' : 'api';
  }
  if (path === '/livez' || path === '/readyz') return 'health';
  return path.startsWith('/_next/') || path.includes('.') ? 'asset' : 'page';
}
