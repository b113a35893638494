import { describe, expect, it } from 'vitest';
import { formatOffset } from './format-offset';

describe('formatOffset', () => {
  it.each([
    [0, '0 sec'],
    [812, '0.8 sec'],
    [-812, '0.8 sec'],
    [9_960, '10 sec'],
    [59_400, '59 sec'],
    [61_000, '1 min'],
    [3_600_000, '60 min'],
    [7_200_000, '2 hr'],
  ])('[J5] %i ms is %s', (ms, text) => {
    expect(formatOffset(ms, 'en')).toBe(text);
  });

  it('[J5] speaks the reader’s language', () => {
    expect(formatOffset(812, 'zh-CN')).toBe('0.8秒');
  });
});
