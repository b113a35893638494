import { describe, expect, it } from 'vitest';
import { toCalendar } from './to-calendar';

const SALE = {
  saleId: 'sale_1',
  title: 'Lamp',
  description: 'Bright',
  startsAt: Date.UTC(2030, 0, 2, 3, 4, 5),
  endsAt: Date.UTC(2030, 0, 2, 4, 0, 0),
  version: 7,
};
const ADDRESS = 'https://shop.test/ru/sales/lamp';
const NOW = Date.UTC(2029, 11, 31, 23, 59, 59, 999);

const written = (change: Partial<typeof SALE> = {}) => toCalendar({ ...SALE, ...change }, ADDRESS, NOW);
/** Joins what was folded, as calendars do. */
const unfolded = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');

/** A content line without parameters (RFC 5545, 3.1): no control character in its value. */
const LINE = /^[A-Z-]+:[^\p{Cc}]*$/u;

describe('toCalendar', () => {
  it('[O10] writes one event in UTC, with an alarm five minutes before', () => {
    expect(unfolded(written())).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Seckill//Sale//EN',
      'BEGIN:VEVENT',
      'UID:sale_1@shop.test',
      'SEQUENCE:7',
      'DTSTAMP:20291231T235959Z',
      'DTSTART:20300102T030405Z',
      'DTEND:20300102T040000Z',
      'SUMMARY:Lamp',
      'DESCRIPTION:https://shop.test/ru/sales/lamp\\n\\nBright',
      'URL:https://shop.test/ru/sales/lamp',
      'TRANSP:TRANSPARENT',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'DESCRIPTION:Lamp',
      'TRIGGER:-PT5M',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('[O10] lets no word of a merchant end its line', () => {
    const title = 'A;B,C\\D\r\nEND:VEVENT\rX\nY\t\u0000\u0085Z';
    const lines = unfolded(written({ title }));
    expect(lines).toContain('SUMMARY:A\\;B\\,C\\\\D\\nEND:VEVENT\\nX\\nY   Z');
    expect(lines.filter((line) => line === 'END:VEVENT')).toHaveLength(1);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(LINE);
  });

  it.each(['д', '抢', '🎁', 'a', 'é,'])(
    '[O10] folds lines of %s at 75 octets, never within a character',
    (one) => {
      const title = one.repeat(150);
      const text = written({ title, description: `b${title}` });
      for (const line of text.split('\r\n')) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        expect(line).not.toContain('\ufffd');
      }
      expect(unfolded(text)).toContain(`SUMMARY:${title.replaceAll(',', '\\,')}`);
    },
  );

  it('[O10] keeps a description of 100,000 characters short', () => {
    expect(written({ description: '🎁'.repeat(100_000) }).length).toBeLessThan(3_000);
  });
});
