import { describe, expect, it } from 'vitest';
import { matchRoute } from './match-route';

describe('matchRoute', () => {
  it('[B3] knows the hot routes by their plainest spelling', () => {
    expect(matchRoute('POST', '/api/sales/sale_1/purchase/ga-te')).toEqual({
      name: 'purchase',
      saleId: 'sale_1',
      gate: 'ga-te',
    });
    expect(matchRoute('GET', '/api/sales/sale_1/state')).toEqual({
      name: 'state',
      saleId: 'sale_1',
      isForClock: false,
    });
    expect(matchRoute('GET', '/api/sales/sale_1/state?clock=12a')).toMatchObject({ isForClock: true });
    expect(matchRoute('GET', '/api/sales/sale_1/events')).toEqual({ name: 'events', saleId: 'sale_1' });
    expect(matchRoute('GET', '/api/orders/123')).toEqual({ name: 'order', orderNo: '123' });
    for (const page of [
      '/',
      '/?a=%2F',
      '/sales/lamp',
      '/sales/lamp?_rsc=1&b',
      '/zh-CN/sales/lamp',
      '/signin?',
    ]) {
      expect(matchRoute('GET', page), page).toEqual({ name: 'page' });
    }
  });

  it('[L4] finds the list of sales, whatever is asked of it: nonsense is refused in one place', () => {
    for (const query of ['', 'limit=5&cursor=a_-b', 'limit=%00', 'limit=5&limit=6', '?', '%', 'x='])
      expect(matchRoute('GET', `/api/sales?${query}`), query).toEqual({ name: 'sales', query });
    expect(matchRoute('GET', '/api/sales')).toEqual({ name: 'sales', query: '' });
  });

  it('[F2] leaves everything that could be read in two ways to Next', () => {
    const targets = [
      '/api/sales/sale_1/state/',
      '/api/sales//state',
      '//api/sales/sale_1/state',
      '/api/sales/sale%5F1/state',
      '/api/sales/sale_1/%73tate',
      '/api/sales/../sale_1/state',
      '/api/sales/sale_1/state?x=1',
      '/api/sales/sale_1/state?clock=1&x=1',
      '/api/sales/sale_1/state#x',
      '/api/sales/sale_1/state;x',
      '/api/sales/sale_1/stateful',
      '/api/sales/sale_1/events/',
      '/api/sales/sale_1/events?x=1',
      '/api/sales/sale%5F1/events',
      '/api/sales/a/b/events',
      '/api/sales//events',
      '/api/sales/events',
      '/api/orders/1/pay',
      '/api/orders/',
      '/api/orders/1?x',
      '/api/orders',
      '/api/sales/',
      '/api/salesx',
      '/api/sales#x',
      '/api/sales?a b',
      '/api/sales?a=é',
      '/api/sales?a="',
      '/_next/static/x',
      '/_next',
      '/readyz',
      '/livez',
      '/products/lamp.svg',
      '/sales/lamp/',
      '/sales/lamp?a=é',
      '/sales/lamp?a b',
      '/api?x',
      '/readyz?x',
      '/_next?x',
      '/sales//lamp',
      'http://host/api/sales/sale_1/state',
      '*',
      '',
    ];
    for (const target of targets) expect(matchRoute('GET', target), target).toBeNull();
    const posts = [
      '/api/sales/sale_1/purchase/',
      '/api/sales/sale_1/purchase/a/b',
      '/api/sales/sale_1/purchase/a%2Fb',
      '/api/sales/sale_1/purchase/a?x',
      '/api/sales//purchase/a',
      '/api/sales/sale_1/entry',
    ];
    for (const target of posts) expect(matchRoute('POST', target), target).toBeNull();
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'get', undefined]) {
      expect(matchRoute(method, '/api/sales/sale_1/state'), method).toBeNull();
    }
    expect(matchRoute('GET', '/api/sales/sale_1/purchase/a')).toBeNull();
    expect(matchRoute('POST', '/api/sales/sale_1/state')).toBeNull();
  });
});
