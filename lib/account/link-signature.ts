import { createHmac } from 'node:crypto';
import { env } from '@/lib/env';
import { isSameText } from '@/lib/purpose-keys';

/** What the link of a mail is for: a signature for one purpose is none for another. */
type LinkPurpose =
  | 'password reset'
  | 'email verification'
  | 'email change confirm'
  | 'email change stop'
  | 'mail stop';

/** Signs what the link of a mail says, with the newest key of `NEXTAUTH_SECRET`. @returns 43 characters */
export const signLink = (purpose: LinkPurpose, text: string): string =>
  hmac(purpose, text, env().nextAuthSecrets[0]);

/** Tells whether one of the live keys has signed this, so that links in mails outlive a rotation. */
export const isLinkSigned = (purpose: LinkPurpose, text: string, signature: string): boolean =>
  env().nextAuthSecrets.some((secret) => isSameText(hmac(purpose, text, secret), signature));

const hmac = (purpose: LinkPurpose, text: string, secret: string): string =>
  createHmac('sha256', `${purpose}:${secret}`).update(text).digest('base64url');
