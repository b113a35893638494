import { z } from 'zod';
import { area } from '../operation';
import { takings, takingsFilter } from '../shapes/takings';
import { SAYS_OF_CSV } from './says-of-csv';

export const adminTakings = area('Admin: money', "What the merchant's own sales took.");
const { operation } = adminTakings;

const SAYS_OF_LINES =
  'The money of orders by currency: of all together, by the day on which they were bought (newest first), or by sale (most first). Money that came too late and went back is in none.';

export const readTakings = operation('GET /api/admin/takings', {
  who: 'seeAdmin',
  says: `${SAYS_OF_LINES} The newest 400 days, or 1,000 sales.`,
  query: takingsFilter,
  side: { feature: 'search' },
  answers: { 200: z.object({ takings: z.array(takings) }) },
});

export const exportTakings = operation('GET /api/admin/takings/export', {
  who: 'seeAdmin',
  says: `The same as a file, with every line. ${SAYS_OF_LINES}`,
  query: takingsFilter,
  side: { feature: 'search' },
  answers: {
    200: {
      mediaType: 'text/csv',
      says: `day, sale_id, sale, currency, orders, taken, refunded, kept, to_be_paid. Amounts as people write them: 19.90. ${SAYS_OF_CSV}`,
    },
  },
});
