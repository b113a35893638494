import type { SaleInfo } from '@/lib/contract/shapes/sale';

const ALARM = '-PT5M';
const MAX_DESCRIPTION = 500;
/** A line has at most so many octets, its end not counted (RFC 5545, 3.1). */
const MAX_OCTETS = 75;

type CalendarSale = Pick<SaleInfo, 'saleId' | 'title' | 'description' | 'startsAt' | 'endsAt' | 'version'>;

/**
 * Writes a sale as one iCalendar event (RFC 5545), in UTC. The event is the same one for as long as the sale exists, and
 * calendars that have it take the version with the highest number. It leaves its time free: a sale may take days.
 * @param address of the sale's page, absolute @param now when it is written, in epoch ms
 */
export function toCalendar(sale: CalendarSale, address: string, now: number): string {
  const beginning = [...sale.description].slice(0, MAX_DESCRIPTION).join('');
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Seckill//Sale//EN',
    'BEGIN:VEVENT',
    `UID:${sale.saleId}@${new URL(address).hostname}`,
    `SEQUENCE:${sale.version}`,
    `DTSTAMP:${toUtc(now)}`,
    `DTSTART:${toUtc(sale.startsAt)}`,
    `DTEND:${toUtc(sale.endsAt)}`,
    `SUMMARY:${toText(sale.title)}`,
    `DESCRIPTION:${toText(`${address}\n\n${beginning}`)}`,
    `URL:${address}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${toText(sale.title)}`,
    `TRIGGER:${ALARM}`,
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
    .map((line) => `${fold(line)}\r\n`)
    .join('');
}

/** `20300102T030405Z` */
const toUtc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** Escapes a text (RFC 5545, 3.3.11). Control characters other than a new line may not stand in one. */
function toText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

/** Breaks a long line into lines that begin with a space, never within a character. */
function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_OCTETS) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
