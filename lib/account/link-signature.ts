import { createHmac } from 'node:crypto';
import { env } from '@/lib/env';
import { isSameText } from '@/lib/purpose-keys';

/** The purpose of a mail's link, or of its header. A signature for one purpose is invalid for another. */
type LinkPurpose =
  | 'email verification'
  | 'password reset'
  | 'email change confirm'
  | 'email change stop'
  | 'stop mails'
  | 'mail recipient';

/** Signs what the link of a mail says, with the newest key of `NEXTAUTH_SECRET`. @returns 43 characters */
export const signLink = (purpose: LinkPurpose, text: string): string =>
  hmac(purpose, text, env().nextAuthSecrets[0]);

/** Tells whether we have signed this, with whichever live key. */
export const isLinkSigned = (purpose: LinkPurpose, text: string, signature: string): boolean =>
  env().nextAuthSecrets.some((secret) => isSameText(hmac(purpose, text, secret), signature));

const hmac = (purpose: LinkPurpose, text: string, secret: string): string =>
  createHmac('sha256', `${purpose}:${secret}`).update(text).digest('base64url');
