/**
 * Pages with personal content have one prerendered shell for all addresses: opening one renders nothing and keeps
 * nothing, however many orders there are. The browser reads the id from its address. Next's configuration rewrites
 * these addresses to the shell, and our server keeps one copy of it per language.
 */
export const SHELL_PAGES = [
  '/orders/:id',
  '/pay/sandbox/:id',
  '/admin/sales/:id',
  '/admin/orders/:id',
  '/admin/campaigns/:id',
] as const;

/** Returns the address of the shell itself. */
export const shellOf = (page: string): string => page.replace(':id', 'shell');

/** Returns the shell that serves all addresses of a page, e.g. of `/orders/[orderNo]`; undefined if it has none. */
export const shellFor = (page: string): string | undefined =>
  SHELL_PAGES.find((one) => one.replace(':id', '') === page.replace(/\[\w+\]$/, ''));
