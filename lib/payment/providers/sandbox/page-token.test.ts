import { describe, expect, it } from 'vitest';
import { isPageToken, pageToken } from './page-token';

describe('pageToken', () => {
  it('[F4] opens the page of its payment and no other', () => {
    const token = pageToken('pay_1');
    expect(isPageToken('pay_1', token)).toBe(true);
    expect(isPageToken('pay_2', token)).toBe(false);
    for (const wrong of ['', token.slice(1), `${token}A`, `-${token.slice(1)}.`, 'é'.repeat(43)]) {
      expect(isPageToken('pay_1', wrong)).toBe(false);
    }
  });
});
