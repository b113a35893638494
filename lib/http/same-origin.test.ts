import { describe, expect, it } from 'vitest';
import { isSameOrigin } from './same-origin';

const request = (headers: Record<string, string>) =>
  new Request('http://shop.test/api/x', { method: 'POST', headers: { host: 'shop.test', ...headers } });

describe('isSameOrigin', () => {
  it('[L3] takes our own origin, over http and https', () => {
    expect(isSameOrigin(request({ origin: 'http://shop.test' }))).toBe(true);
    expect(isSameOrigin(request({ origin: 'https://shop.test' }))).toBe(true);
  });

  it('[L3] takes Sec-Fetch-Site: same-origin when there is no Origin', () => {
    expect(isSameOrigin(request({ 'sec-fetch-site': 'same-origin' }))).toBe(true);
  });

  it.each([
    ['nothing', {}],
    ['another host', { origin: 'http://evil.test' }],
    ['another port', { origin: 'http://shop.test:8080' }],
    ['a longer host', { origin: 'http://shop.test.evil.test' }],
    ['null', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    [
      'a foreign origin that claims to be same-origin',
      { origin: 'http://evil.test', 'sec-fetch-site': 'same-origin' },
    ],
  ])('[L3] refuses %s', (_, headers) => {
    expect(isSameOrigin(request(headers as Record<string, string>))).toBe(false);
  });
});
