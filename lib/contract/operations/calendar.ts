import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { operation } from '../operation';
import { language } from '../shapes/account';

export const readCalendar = operation({
  id: 'readCalendar',
  method: 'GET',
  path: '/api/sales/{saleId}/calendar.ics',
  who: 'nothing',
  says: 'A sale as an event for calendars, with an alarm five minutes before its start; cacheable for a minute. After an edit the same event has a higher `SEQUENCE`.',
  query: z.object({
    locale: language.default(routing.defaultLocale).describe('The language of the page it leads to.'),
  }),
  answers: { 200: { mediaType: 'text/calendar', says: 'One event as iCalendar (RFC 5545).' } },
  errors: ['SALE_NOT_FOUND', 'SALE_ENDED'],
});
