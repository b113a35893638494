import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address';

describe('clientAddress', () => {
  it('[A3 G2] believes no more of X-Forwarded-For than our own proxies wrote', () => {
    expect(clientAddress('10.0.0.1', '6.6.6.6', 0)).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4', 1)).toBe('1.2.3.4');
    expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4,10.0.0.2', 2)).toBe('1.2.3.4');
    expect(clientAddress('10.0.0.1', '1.2.3.4', 2)).toBe('1.2.3.4');
  });

  it('[A3] falls back to the peer, or to nobody', () => {
    expect(clientAddress('10.0.0.1', undefined, 1)).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', ' ', 1)).toBe('10.0.0.1');
    expect(clientAddress(null, null, 0)).toBeNull();
  });
});
