import { createHmac, timingSafeEqual } from 'node:crypto';
import { env } from '@/lib/env';

/** The purpose of a mail's link. A signature for one purpose is invalid for another. */
type LinkPurpose = 'email verification' | 'password reset' | 'email change confirm' | 'email change stop';

/** Signs what the link of a mail says. @returns 43 characters */
export const signLink = (purpose: LinkPurpose, text: string): string =>
  createHmac('sha256', `${purpose}:${env().nextAuthSecret}`).update(text).digest('base64url');

/** Tells whether we have signed this. @param signature 43 characters */
export const isLinkSigned = (purpose: LinkPurpose, text: string, signature: string): boolean =>
  timingSafeEqual(Buffer.from(signLink(purpose, text)), Buffer.from(signature));
