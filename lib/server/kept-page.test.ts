import { describe, expect, it } from 'vitest';
import { chooseVariant, toKeptPage } from './kept-page';

const body = (text: string) => Buffer.from(text);
const page = toKeptPage(
  { tag: 'abc', encodings: { identity: body('plain'), br: body('br'), gzip: body('gzip') }, bytes: 11 },
  ['Vary', 'Accept-Encoding'],
);
const answer = (accepted: string | undefined) => chooseVariant(page, accepted, undefined).body.toString();

describe('[A2] the encoding of what is kept', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br', 'br'],
    ['BR', 'br'],
    ['gzip;q=1.0, br;q=0.1', 'br'],
    ['br ; q=0.5', 'br'],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000 , gzip', 'gzip'],
    ['br; Q=0, gzip', 'gzip'],
    ['gzip;q=0, br;q=0', 'plain'],
    ['deflate, zstd', 'plain'],
    ['brotli, x-gzipped', 'plain'],
    ['identity', 'plain'],
    ['', 'plain'],
  ])('for %j is %s', (accepted, sent) => expect(answer(accepted)).toBe(sent));

  it('is none for a client that names none', () => expect(answer(undefined)).toBe('plain'));

  it('has its own tag, and any of them tells that the client has these bytes', () => {
    const { headers } = chooseVariant(page, 'br', undefined);
    expect(headers[headers.indexOf('ETag') + 1]).toBe('"abc-br"');
    expect(headers[headers.indexOf('Content-Length') + 1]).toBe('2');
    for (const tag of ['"abc-br"', 'W/"abc-gzip"', '"abc"', '"x", "abc"'])
      expect(chooseVariant(page, 'gzip', tag).status).toBe(304);
    expect(chooseVariant(page, 'gzip', '"other"').status).toBe(200);
  });
});
