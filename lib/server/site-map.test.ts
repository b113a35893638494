import { describe, expect, it } from 'vitest';
import { createSiteMap } from './site-map';

const site = createSiteMap({
  pages: [
    '/',
    '/signin',
    '/orders',
    '/orders/[orderNo]',
    '/admin/sales/[saleId]',
    '/sales/[slug]',
    '/missing',
    '/[...rest]',
  ],
  interfaces: [
    '/api/[[...rest]]',
    '/api/openapi.json',
    '/api/sales',
    '/api/sales/[saleId]/state',
    '/api/auth/[...nextauth]',
  ],
  redirects: ['/admin', '/zh-CN/admin'],
  files: ['/icon.svg', '/_next/static/chunks/a.js'],
});

const kept = (key: string) => ({ kind: 'kept', key });
const nothing = (key: string | null) => ({ kind: 'nothing', key });

describe('site map', () => {
  it.each([
    ['/', '/'],
    ['/zh-CN', '/zh-CN'],
    ['/signin', '/signin'],
    ['/zh-CN/signin', '/zh-CN/signin'],
    ['/orders', '/orders'],
    ['/orders/123', '/orders/shell'],
    ['/orders/a.b%20c', '/orders/shell'],
    ['/orders/%E4%B8%AD', '/orders/shell'],
    ['/zh-CN/orders/456', '/zh-CN/orders/shell'],
    ['/zh-CN/admin/sales/x', '/zh-CN/admin/sales/shell'],
    ['/sales/lamp', '/sales/lamp'],
    ['/sales/%6Camp', '/sales/lamp'],
    ['/zh-CN/sales/lamp', '/zh-CN/sales/lamp'],
    ['/icon.svg', '/icon.svg'],
    ['/api/openapi.json', '/api/openapi.json'],
    ['/_next/static/chunks/a.js', '/_next/static/chunks/a.js'],
  ])('[N11] %s is kept once, as %s', (path, key) => {
    expect(site.find(path)).toEqual(kept(key));
  });

  it.each([
    ['/nowhere', '/missing'],
    ['/missing', '/missing'],
    ['/zh-CN/nowhere/at/all', '/zh-CN/missing'],
    ['/zh-CN/missing', '/zh-CN/missing'],
    ['/orders/1/2', '/missing'],
    ['//orders', '/missing'],
    ['//evil.example/orders', '/missing'],
    ['/sales/a.b', '/missing'],
    ['/sales/%00', '/missing'],
    [`/sales/${'x'.repeat(121)}`, '/missing'],
    ['/en/nowhere', '/missing'],
    ['/nowhere/', '/missing'],
    ['/products/none.svg', '/missing'],
    ['/%', '/missing'],
    ['/__proto__', '/missing'],
    ['/constructor/orders', '/missing'],
    ['/_next/static/chunks/b.js', null],
    ['/_next/image', null],
    ['/_next', null],
    ['/api', null],
    ['/api/nothing', null],
    ['/api/sales/x/nothing', null],
    ['/api/auth', null],
  ])('[N11] there is nothing at %s, which %s says', (path, key) => {
    expect(site.find(path)).toEqual(nothing(key));
  });

  it.each([
    '/api/sales',
    '/api/sales/x/state',
    '/api/auth/callback/credentials',
    '/api/sales/',
    '/admin',
    '/zh-CN/admin',
    '/en',
    '/en/orders/1',
    '/orders/',
    '/signin/',
  ])('[N11] only Next answers %s', (path) => {
    expect(site.find(path)).toEqual({ kind: 'next', key: null });
  });
});
