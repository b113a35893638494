import { randomBytes } from 'node:crypto';
import { type Locale, routing } from '@/i18n/routing';
import { secretLink } from '@/lib/account/secret-link';

export const INVITATION_LIFETIME_MS = 72 * 3600 * 1000;
const TOKEN_BYTES = 32;

/** Makes the token of a new link. The database keeps its hash alone. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Makes the link that accepts an invitation. */
export const invitationLink = (token: string, locale: Locale = routing.defaultLocale): string =>
  secretLink('/invite', token, locale);
