import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';
import { visitAddress } from './visit-address';

it.each([
  ['/', '/api/visit'],
  ['/zh-CN', '/api/visit'],
  ['/orders/123', '/api/visit'],
  ['/sales/lamp-2', '/api/visit?slug=lamp-2'],
  ['/zh-CN/sales/lamp-2', '/api/visit?slug=lamp-2'],
  ['/sales/a%22b', '/api/visit'],
  ['/sales/', '/api/visit'],
  ['/admin/sales/x/edit', '/api/visit'],
])('[A1] the page %s asks %s, also as text in its HTML', (pathname, address) => {
  expect(visitAddress(pathname)).toBe(address);
  expect(runInThisContext(`(${visitAddress})(${JSON.stringify(pathname)})`)).toBe(address);
});
