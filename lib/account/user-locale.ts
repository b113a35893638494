import { z } from 'zod';
import { type Locale, routing } from '@/i18n/routing';

/** The language of the page somebody registers on. */
export const localeSchema = z.enum(routing.locales);

/** The language of somebody's mails: what is stored may be a language that the shop has no more, or nonsense. */
export const toLocale = (stored: string): Locale =>
  localeSchema.safeParse(stored).data ?? routing.defaultLocale;
