import { describe, expect, it } from 'vitest';
import { createDirectRoutes, type DirectRoute } from './direct-routes';

const route = (method: string, path: string): DirectRoute => ({
  method,
  path,
  answer: async () => ({ status: 200, headers: {}, body: path }),
});
const find = createDirectRoutes([
  route('GET', '/api/orders'),
  route('GET', '/api/orders/{orderNo}'),
  route('POST', '/api/sales/{saleId}/entry'),
]);

describe('the operations our server answers itself', () => {
  it('[L3] are found by method and path, with what stands in the path', () => {
    expect(find('GET', '/api/orders')?.route.path).toBe('/api/orders');
    expect(find('GET', '/api/orders?limit=2&cursor=%20x')?.route.path).toBe('/api/orders');
    expect(find('GET', '/api/orders/123')?.params).toEqual({ orderNo: '123' });
    expect(find('POST', '/api/sales/sale_1-A/entry?')?.params).toEqual({ saleId: 'sale_1-A' });
  });

  it.each([
    ['HEAD', '/api/orders'],
    ['POST', '/api/orders'],
    ['GET', '/api/sales/sale_1/entry'],
    [undefined, '/api/orders'],
    ['GET', '/api/orders/'],
    ['GET', '/api//orders'],
    ['GET', '/api/./orders'],
    ['GET', '/api/orders/1/history'],
    ['GET', '/api/orders/%31'],
    ['GET', '/api/orders/a.b'],
    ['GET', '/api/orders#x'],
    ['GET', '/api/orders?a b'],
    ['GET', '/api/orders?\u00e9'],
    ['GET', '/api/ordersx'],
    ['GET', ' /api/orders'],
    ['POST', '/api/sales//entry'],
    ['POST', '/api/sales/a/b/entry'],
  ])('[L3] leave everything else to Next: %s %s', (method, target) => {
    expect(find(method, target)).toBeNull();
  });

  it('[L3] leave to Next what a route does not take', () => {
    const only = createDirectRoutes([
      { ...route('POST', '/api/sales/{saleId}/challenge'), takes: ({ saleId }) => saleId === 'sale_1' },
    ]);
    expect(only('POST', '/api/sales/sale_1/challenge')?.params).toEqual({ saleId: 'sale_1' });
    expect(only('POST', '/api/sales/sale_2/challenge')).toBeNull();
  });
});
