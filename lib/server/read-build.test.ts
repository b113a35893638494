import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBuild } from './read-build';
import { createSiteMap } from './site-map';

let dist: string;

const write = (name: string, content: unknown) =>
  writeFileSync(join(dist, name), typeof content === 'string' ? content : JSON.stringify(content));

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'seckill-read-build-'));
  for (const folder of ['static', 'public']) mkdirSync(join(dist, folder));
  write('static/a.js', 'a');
  write('public/icon.svg', 'b');
  write('routes-manifest.json', { redirects: [{ source: '/admin' }, { source: '/en/:path*' }] });
  const paths = ['', '/docs/api/[chapter]', '/orders/[orderNo]', '/sales/[slug]', '/missing'];
  write('app-path-routes-manifest.json', {
    ...Object.fromEntries(paths.map((path) => [`/[locale]${path}/page`, `/[locale]${path}`])),
    '/api/sales/route': '/api/sales',
  });
  const made = (srcRoute: string) => ({ srcRoute });
  write('prerender-manifest.json', {
    routes: {
      '/en/docs/api/orders': made('/[locale]/docs/api/[chapter]'),
      '/zh-CN/docs/api/orders': made('/[locale]/docs/api/[chapter]'),
      '/en/docs/api/codes': made('/[locale]/docs/api/[chapter]'),
      '/en/orders/shell': made('/[locale]/orders/[orderNo]'),
    },
    dynamicRoutes: {
      '/[locale]/docs/api/[chapter]': { fallback: false },
      '/[locale]/orders/[orderNo]': { fallback: false },
      '/[locale]/sales/[slug]': { fallback: null },
    },
  });
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

it('[N11] knows every address of a page that was made for a closed list, and no other', () => {
  const build = readBuild(dist, join(dist, 'public'));
  expect(build).toEqual({
    pages: ['/', '/docs/api/orders', '/docs/api/codes', '/orders/[orderNo]', '/sales/[slug]', '/missing'],
    interfaces: ['/api/sales'],
    redirects: ['/admin'],
    files: ['/_next/static/a.js', '/icon.svg'],
  });
  const { find } = createSiteMap(build);
  expect(find('/zh-CN/docs/api/orders')).toEqual({ kind: 'kept', key: '/zh-CN/docs/api/orders' });
  expect(find('/docs/api/made-up').kind).toBe('nothing');
  expect(find('/orders/any')).toEqual({ kind: 'kept', key: '/orders/shell' });
});
