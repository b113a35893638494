import { describe, expect, it } from 'vitest';
import { formatDate } from './format-date';
import { formatDuration } from './format-duration';

describe('[A1] times', () => {
  it('are said in the largest unit that divides them', () => {
    expect(formatDuration(900, 'en')).toBe('15 minutes');
    expect(formatDuration(604_800, 'en')).toBe('7 days');
    expect(formatDuration(90, 'en')).toBe('90 seconds');
    expect(formatDuration(900, 'zh-CN')).toBe('15分钟');
  });
  it('are shown in the given time zone', () => {
    const noon = Date.parse('2026-11-20T12:00:03Z');
    expect(formatDate(noon, 'en', 'time', 'Asia/Shanghai')).toContain('08:00:03');
    expect(formatDate(noon, 'en', 'full', 'UTC')).toContain('Nov 20, 2026');
  });
});
