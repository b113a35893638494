import { expect, it } from 'vitest';
import { routeClass } from './route-class';

it.each([
  ['/api/register', 'api'],
  ['/api/admin/sales?limit=1', 'admin'],
  ['/api/admin/sales/s/live/stream', 'events'],
  ['/api/sales/s/events?x', 'events'],
  ['/_next/static/a.js', 'asset'],
  ['/favicon.ico', 'asset'],
  ['/sales/lamp?from=mail@x.y', 'page'],
  ['/readyz', 'health'],
  ['', 'page'],
])('[J2] %s is of the class %s', (target, name) => {
  expect(routeClass(target)).toBe(name);
});
