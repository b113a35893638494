import { type Locale, routing } from '@/i18n/routing';
import { language } from '@/lib/contract/shapes/account';

/** Returns the language of a user's mails. The stored one may be nonsense, or a language the shop no longer has. */
export const toLocale = (stored: string): Locale => language.safeParse(stored).data ?? routing.defaultLocale;
