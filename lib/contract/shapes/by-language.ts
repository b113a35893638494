import { z } from 'zod';
import { routing } from '@/i18n/routing';

/** A value for each of some of the shop's languages. A language that is missing has none of its own. */
export const byLanguage = <T extends z.ZodType>(value: T) => z.partialRecord(z.enum(routing.locales), value);

/** The title of a sale. */
export const saleTitle = z.string().trim().min(1).max(200);

/** The titles of a sale by language. */
export const saleTitles = byLanguage(saleTitle).describe(
  'The title in some of the languages of the shop; the others show `title`.',
);
export type SaleTitles = z.output<typeof saleTitles>;
