/** The pages whose words are the shop's own, in the order of the footer. */
export const SITE_PAGES = ['terms', 'privacy', 'contact'] as const;
export type SitePage = (typeof SITE_PAGES)[number];

export const isSitePage = (name: string): name is SitePage =>
  (SITE_PAGES as readonly string[]).includes(name);

export const MAX_SITE_TEXT_LENGTH = 50_000;
