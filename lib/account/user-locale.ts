import { type Locale, routing } from '@/i18n/routing';
import { language } from '@/lib/contract/shapes/account';

/** The language of somebody's mails: what is stored may be a language that the shop has no more, or nonsense. */
export const toLocale = (stored: string): Locale => language.safeParse(stored).data ?? routing.defaultLocale;
