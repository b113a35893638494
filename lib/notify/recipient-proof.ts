import { isLinkSigned, signLink } from '@/lib/account/link-signature';

/** The header of our mails that proves to whom we have sent one, should it come back. */
export const PROOF_HEADER = 'X-Recipient-Proof';

/** Makes the header's value, 43 characters. */
export const proveRecipient = (email: string): string => signLink('mail recipient', email.toLowerCase());

/** Tells whether a mail with this header went to an address. */
export const isRecipient = (email: string, proof: string): boolean =>
  isLinkSigned('mail recipient', email.toLowerCase(), proof);
