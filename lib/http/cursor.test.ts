import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, parsePage } from './cursor';

describe('cursor', () => {
  it('[L3] survives the way to the client and back', () => {
    const cursor = encodeCursor('1790000000000:sale_01');
    expect(parsePage(`http://x/?cursor=${cursor}&limit=5`)).toEqual({
      success: true,
      data: { cursor, limit: 5 },
    });
    expect(decodeCursor(cursor)).toBe('1790000000000:sale_01');
  });

  it('[L3] has a limit of 20 unless asked for 1 to 100', () => {
    expect(parsePage('http://x/').data).toEqual({ limit: 20 });
    for (const wrong of ['0', '101', '-1', '1.5', 'many', '1e3']) {
      expect(parsePage(`http://x/?limit=${wrong}`).success, wrong).toBe(false);
    }
  });

  it('[L3] refuses a cursor that can not be ours', () => {
    for (const wrong of ["'", '%00', '<script>', 'a'.repeat(201)]) {
      expect(parsePage(`http://x/?cursor=${encodeURIComponent(wrong)}`).success, wrong).toBe(false);
    }
  });
});
