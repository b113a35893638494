import type { Locator, Page } from '@playwright/test';
import { buyLink, heading } from './shop';
import type { Things } from './things';

/** A page of the product, how to get there, and which element shows that its content has come. */
export type Visit = {
  /** Its folder below app/[locale]. */
  route: string;
  path: (things: Things) => string;
  shows: (page: Page, things: Things) => Locator;
  /** Runs the narrow and dark look on the Chinese page; `shows` must then find the same in every language. */
  isAlsoChinese?: true;
  /** A button that opens more content. */
  opens?: string | RegExp;
  /** Elements left out because they only repeat, thousands of times, what stands before them. */
  repeats?: string;
};

/** Finds a part of a page by its name. */
export const region = (name: string) => (page: Page) => page.getByRole('region', { name });

export const FOR_STRANGERS: Visit[] = [
  {
    route: '.',
    path: () => '/',
    isAlsoChinese: true,
    shows: (page, { sale }) => page.getByRole('link', { name: sale.title }),
  },
  {
    route: 'sales/[slug]',
    path: ({ sale }) => `/sales/${sale.slug}`,
    shows: (page) => buyLink(page, 'Sign in to buy'),
  },
  {
    route: 'campaigns/[slug]',
    path: ({ campaign }) => `/campaigns/${campaign.slug}`,
    isAlsoChinese: true,
    shows: (page, { sale }) => page.getByRole('listitem').getByRole('link', { name: sale.title }),
  },
  {
    route: 'register',
    path: () => '/register',
    shows: (page) => page.getByRole('button', { name: 'Create account' }),
  },
  {
    route: 'signin',
    path: () => '/signin',
    shows: (page) => page.getByRole('button', { name: 'Sign in as merchant@example.com' }),
  },
  {
    route: 'invite',
    path: ({ invitePath }) => invitePath,
    isAlsoChinese: true,
    shows: (page) => page.locator('form'),
  },
  {
    route: 'forgot-password',
    path: () => '/forgot-password',
    isAlsoChinese: true,
    shows: (page) => page.locator('form'),
  },
  {
    route: 'second-step',
    path: () => '/second-step',
    isAlsoChinese: true,
    shows: (page) => page.locator('form').getByRole('button').first(),
  },
  {
    route: 'reset-password',
    path: () => '/reset-password#token',
    isAlsoChinese: true,
    shows: (page) => page.locator('form'),
  },
  {
    route: 'confirm-email',
    path: () => '/confirm-email#token',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('button'),
  },
  {
    route: 'stop-email',
    path: () => '/stop-email#token',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('button'),
  },
  {
    route: 'stop-mails',
    path: () => '/stop-mails#user.reminders.token',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('button'),
  },
  {
    route: '[...rest]',
    path: () => '/there/is/nothing',
    shows: (page) => heading(page, "This page isn't here"),
  },
  {
    route: 'missing',
    path: () => '/missing',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('link'),
  },
];

/** By far the longest pages: thousands of elements, built from a few kinds of rows and words. */
export const FOR_PROGRAMMERS: Visit[] = [
  {
    route: 'docs/api',
    path: () => '/docs/api',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('link', { name: 'payOrder' }),
    repeats: 'main section > ul > :nth-child(n + 4)',
  },
  {
    route: 'docs/api/[chapter]',
    path: () => '/docs/api/objects',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('heading', { name: 'SaleState', exact: true }).first(),
    repeats: 'main h1 ~ :nth-child(n + 6), main tr:nth-child(n + 5)',
  },
];

export const FOR_SHOPPERS: Visit[] = [
  {
    route: 'orders',
    path: () => '/orders',
    isAlsoChinese: true,
    shows: (page, { sale }) => page.getByRole('link', { name: sale.title }).first(),
  },
  {
    route: 'orders/[orderNo]',
    path: ({ unpaidOrderNo }) => `/orders/${unpaidOrderNo}`,
    shows: (page) => page.getByRole('button', { name: /^Pay €/ }),
  },
  {
    route: 'orders/[orderNo]',
    path: ({ paidOrderNo }) => `/orders/${paidOrderNo}`,
    shows: region('What happened'),
  },
  {
    route: 'pay/sandbox/[paymentId]',
    path: ({ paymentPath }) => paymentPath,
    shows: (page) => page.getByRole('button', { name: /^Pay €/ }),
  },
  {
    route: 'notifications',
    path: () => '/notifications',
    shows: (page, { sale }) => page.getByRole('link', { name: `Paid: ${sale.title}` }),
  },
  {
    route: 'account',
    path: () => '/account',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('listitem').first(),
  },
  {
    route: 'account/sign-in',
    path: () => '/account/sign-in',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('listitem').first(),
  },
  {
    route: 'account/addresses',
    path: () => '/account/addresses',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('button').last(),
  },
  {
    route: 'account/language',
    path: () => '/account/language',
    shows: region('Time zone'),
  },
  {
    route: 'account/data',
    path: () => '/account/data',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('button').nth(1),
  },
  {
    route: 'verify-email',
    path: () => '/verify-email',
    shows: (page) => page.getByRole('button', { name: /mail/i }),
  },
  {
    route: 'prove',
    path: () => '/prove',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('textbox'),
  },
];

export const FOR_THE_DESK: Visit[] = [
  {
    route: 'admin/sales',
    path: ({ sale }) => `/admin/sales?q=${encodeURIComponent(sale.title)}`,
    shows: (page, { sale }) => page.getByRole('link', { name: sale.title }),
    isAlsoChinese: true,
  },
  {
    route: 'admin/sales/[saleId]',
    path: ({ draft }) => `/admin/sales/${draft.saleId}`,
    shows: (page) => page.getByRole('heading', { name: 'Before you publish' }),
  },
  {
    route: 'admin/products',
    path: () => '/admin/products',
    shows: (page) => page.getByRole('rowheader').first(),
    opens: 'New product',
  },
  {
    route: 'admin/campaigns',
    path: () => '/admin/campaigns',
    shows: (page, { campaign }) => page.getByRole('link', { name: campaign.title }),
    opens: 'New campaign',
  },
  {
    route: 'admin/campaigns/[campaignId]',
    path: ({ campaign }) => `/admin/campaigns/${campaign.campaignId}`,
    shows: (page, { sale }) => page.getByRole('link', { name: sale.title }),
    opens: 'Edit',
  },
  {
    route: 'admin/orders',
    path: ({ shopper }) => `/admin/orders?q=${shopper.email}`,
    shows: (page, { paidOrderNo }) => page.getByRole('link', { name: paidOrderNo }),
  },
  {
    route: 'admin/orders/[orderNo]',
    path: ({ paidOrderNo }) => `/admin/orders/${paidOrderNo}`,
    shows: (page) => page.getByRole('button', { name: /refund/i }),
  },
  {
    route: 'admin/orders/[orderNo]',
    path: ({ unpaidOrderNo }) => `/admin/orders/${unpaidOrderNo}`,
    shows: (page) => page.getByRole('button', { name: 'Change the price' }),
  },
  {
    route: 'admin/orders/[orderNo]',
    path: ({ openedOrderNo }) => `/admin/orders/${openedOrderNo}`,
    shows: (page) => page.getByText(/opened the payment/),
  },
  {
    route: 'admin/money',
    path: () => '/admin/money',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('rowheader').first(),
  },
  {
    route: 'admin/why',
    path: ({ shopper, sale }) => `/admin/why?saleId=${sale.saleId}&user=${shopper.email}`,
    shows: (page, { paidOrderNo }) => page.getByRole('link', { name: `Order ${paidOrderNo}` }),
  },
  {
    route: 'admin/people',
    path: ({ shopper }) => `/admin/people?who=${shopper.userId}`,
    shows: (page, { paidOrderNo }) => page.getByRole('link', { name: paidOrderNo }),
  },
  {
    route: 'admin/alerts',
    path: () => '/admin/alerts?state=all',
    shows: (page) => region('Rules')(page).getByRole('listitem').first(),
  },
  {
    route: 'admin/approvals',
    path: () => '/admin/approvals',
    shows: (page, { sale }) => page.getByRole('listitem').filter({ hasText: sale.title }),
  },
  {
    route: 'admin/queues',
    path: ({ nobody }) => `/admin/queues?letters=all&outboxes=all&consumer=${nobody}`,
    shows: (page) => region('Dead letters')(page).getByRole('listitem').first(),
  },
  {
    route: 'admin/reconcile',
    path: ({ sale }) => `/admin/reconcile?saleId=${sale.saleId}`,
    shows: (page) => region('One sale')(page).getByText('No differences.').first(),
  },
  {
    route: 'admin/risk',
    path: ({ nobody }) => `/admin/risk?value=${nobody}`,
    shows: (page, { nobody }) => page.getByRole('row', { name: nobody }),
    opens: 'New rule',
  },
  {
    route: 'admin/shop',
    path: () => '/admin/shop',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('listitem').first(),
    opens: 'Demo Merchant',
  },
  {
    route: 'admin/switchboard',
    path: () => '/admin/switchboard',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('listitem').nth(10),
  },
  {
    route: 'admin/mails',
    path: () => '/admin/mails',
    isAlsoChinese: true,
    shows: (page) => page.locator('iframe'),
  },
  {
    route: 'admin/setup',
    path: () => '/admin/setup',
    isAlsoChinese: true,
    shows: (page) => page.getByRole('main').getByRole('listitem').nth(15),
  },
  {
    route: 'admin/blocks',
    path: ({ nobody }) => `/admin/blocks?value=${nobody}`,
    shows: (page, { nobody }) => page.getByRole('row', { name: nobody }),
  },
  {
    route: 'admin/audit',
    path: () => '/admin/audit',
    shows: (page) => page.getByRole('row').nth(1),
  },
  {
    route: 'admin/users',
    path: ({ shopper }) => `/admin/users?search=${shopper.email}`,
    shows: (page, { shopper }) => page.getByRole('row', { name: shopper.email }),
    opens: /^Manage/,
  },
];

export const EVERYWHERE = [...FOR_STRANGERS, ...FOR_PROGRAMMERS, ...FOR_SHOPPERS, ...FOR_THE_DESK];
