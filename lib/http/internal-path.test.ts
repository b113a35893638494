import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callbackPath } from '@/components/auth/callback-path';
import { cases } from '@/test/support/random';
import { internalPath } from './internal-path';

const ORIGIN = 'https://shop.test';

/** Resolves an address as a browser does, with its URL parser, from any page of this site. */
const leadsTo = (path: string) =>
  [`${ORIGIN}/`, `${ORIGIN}/zh-CN/sales/x?y#z`].map((base) => new URL(path, base).origin);
const AT_HOME = [ORIGIN, ORIGIN];

describe('[N8] internalPath', () => {
  it('keeps paths of this site with query and hash', () => {
    for (const path of ['/', '/sales/x?a=1#b', '/zh-CN/orders/7', '/admin/orders?q=a%20b&next=//x', '/en'])
      expect(internalPath(path, ORIGIN)).toBe(path);
    expect(internalPath(`${ORIGIN}/orders/7`, ORIGIN)).toBe('/orders/7');
    expect(internalPath('/a/./b/../c', ORIGIN)).toBe('/a/c');
  });

  it.each([
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/en//evil.test/x',
    '/.//evil.test/x',
    '/..//evil.test',
    '/a/..//evil.test',
    '/%2e//evil.test',
    '/a//b',
    '//',
    '///x',
    '/%2f/evil.test',
    '/%2Fevil.test',
    '/%5cevil.test',
    '/en/%2F%2Fevil.test',
    '/%252f%252fevil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '\t//evil.test',
    ' //evil.test',
    '/ /evil.test',
    '/a\0b',
    '/%00x',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://shop.test/1',
    'https:evil.test',
    'mailto:a@b',
    'https://shop.test@evil.test/',
    'https://evil.test#@shop.test/',
    'https://user@shop.test/',
    '',
    'https://shop.test.evil.test/',
    'https://shop.test:8443/',
    'http://shop.test/',
    'sales/x',
    '?x',
    '#x',
    '/api/auth/signout',
    '/api',
    '/_next/static/x.js',
    '/zh-CN//evil.test',
    '/\u2028/evil.test',
    'x'.repeat(9),
    `/${'x'.repeat(2_000)}`,
    '/en/\\evil.test',
    '/;//evil.test',
    '/http://evil.test',
    '/%0d%0aLocation:x',
  ])('%j leads nowhere', (candidate) => {
    expect(internalPath(candidate, ORIGIN)).toBeNull();
  });

  it.each([null, undefined, 7, ['/x'], { href: '/x' }])('%j is no path', (candidate) => {
    expect(internalPath(candidate, ORIGIN)).toBeNull();
  });

  const nasty = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '/',
          '\\',
          '.',
          '..',
          '//',
          '%2f',
          '%2F',
          '%5c',
          '%2e',
          '%25',
          '%',
          ':',
          '@',
          '?',
          '#',
          ';',
        ),
        fc.constantFrom(
          'en',
          'zh-CN',
          'evil.test',
          'shop.test',
          'https:',
          'javascript:',
          '\t',
          '\n',
          ' ',
          '\0',
        ),
        fc.string({ maxLength: 3 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));

  it('never leads off this site, whatever it is given and whatever prefix is taken off it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          nasty,
          nasty.map((text) => `/${text}`),
          fc.webUrl(),
          fc.string(),
        ),
        (candidate) => {
          const path = internalPath(candidate, ORIGIN);
          if (path !== null) {
            expect(leadsTo(path)).toEqual(AT_HOME);
            expect(internalPath(path, ORIGIN)).toBe(path);
            // Routers and proxies decode and normalise once more.
            const [pathname = ''] = path.split(/[?#]/, 1);
            expect(leadsTo(decodeURI(pathname).replaceAll('\\', '/'))).toEqual(AT_HOME);
          }
          const back = callbackPath(`?callbackUrl=${encodeURIComponent(candidate.toWellFormed())}`, ORIGIN);
          expect(leadsTo(back)).toEqual(AT_HOME);
        },
      ),
      { numRuns: cases(5_000) },
    );
  });
});
