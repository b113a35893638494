import { isLinkSigned, signLink } from './link-signature';

/** How long the link that applies a change of address is good, ms. */
export const CONFIRM_LIFETIME_MS = 30 * 60_000;
/** How long an old address can undo its change, ms. */
export const UNDO_LIFETIME_MS = 7 * 24 * 3_600_000;
const FORMAT = /^([A-Za-z0-9_-]{1,64})\.([\w-]{43})$/;

/** `confirm` goes to the new address, `stop` to the old one. */
export type EmailChangeLink = 'confirm' | 'stop';

/** Signs the token of a link about a change of address. The change itself says whether its links are still good. */
export const signEmailChange = (link: EmailChangeLink, changeId: string): string =>
  `${changeId}.${signLink(`email change ${link}`, changeId)}`;

/** Returns the id of the change that a token names; null if the token is not ours, or is of the other link. */
export function readEmailChange(link: EmailChangeLink, token: string): string | null {
  const [, changeId, signature] = FORMAT.exec(token) ?? [];
  if (!changeId || !signature) return null;
  return isLinkSigned(`email change ${link}`, changeId, signature) ? changeId : null;
}
