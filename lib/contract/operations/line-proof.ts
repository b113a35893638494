import { z } from 'zod';
import { operation } from '../operation';
import { lineProof } from '../shapes/line-proof';

export const readLineProof = operation('GET /api/sales/{saleId}/line/proof', {
  who: 'nothing',
  says: 'What the order of a line or draw follows from, and the order itself under pseudonyms, in pages: anybody can recompute it. Before the order is made, the hash of the seed alone.',
  query: z.object({
    from: z.coerce
      .number()
      .int()
      .min(0)
      .max(100_000_000)
      .default(0)
      .describe('The first number of the page.'),
  }),
  answers: { 200: lineProof },
  errors: ['SALE_NOT_FOUND', 'NO_LINE'],
});
