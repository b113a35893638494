import { z } from 'zod';
import { area } from '../operation';
import { pendingApproval } from '../shapes/approval';
import { trace, traceQuestion } from '../shapes/attempt';
import { page, pageOf } from '../shapes/common';
import { adminDraw } from '../shapes/draw';
import { givenLimits } from '../shapes/limit';
import { adminLine, lineChange } from '../shapes/line';
import { live, liveQuery, situation } from '../shapes/live';
import { adminSale, editableSale, sale, tiers } from '../shapes/sale';
import { newSale, restock, saleEdit, saleFilter } from '../shapes/sale-input';

export const adminSales = area('Admin: sales', 'Merchants see and change their own.');
const { operation } = adminSales;

/** Common to the changes that need no body. */
const change = {
  who: 'manageSales',
  answers: { 200: sale },
  errors: ['SALE_NOT_FOUND', 'SALE_STATE'],
} as const;

export const listAdminSales = operation('GET /api/admin/sales', {
  who: 'seeAdmin',
  says: "Sales, drafts included. `q` is part of the title or of the product's name, in any language, or an id or slug; `from` and `to`: sales that run at some moment between the two; `sort`: newest first, or by start, the latest first with `-start`.",
  query: page.extend(saleFilter.shape),
  side: { feature: 'search', fields: ['q'] },
  answers: { 200: pageOf('sales', adminSale) },
});

export const createSale = operation('POST /api/admin/sales', {
  who: 'manageSales',
  says: 'A draft. It ends after it starts, entry opens no later than the start, reservations close no later than the start; the list price is not below the price; `onStockOutage: "database"` goes with the strategy `script` only; limits that are left out or null don\'t limit.',
  body: newSale,
  answers: { 201: sale },
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_ARCHIVED',
    'CAMPAIGN_NEEDS_SCRIPT',
    'PRODUCT_ARCHIVED',
    'SLUG_TAKEN',
    'CREATED_OTHERWISE',
  ],
});

export const readAdminSale = operation('GET /api/admin/sales/{saleId}', {
  who: 'seeAdmin',
  says: 'A sale as it was given, to be edited.',
  answers: { 200: editableSale },
  errors: ['SALE_NOT_FOUND'],
});

export const editSale = operation('PATCH /api/admin/sales/{saleId}', {
  who: 'manageSales',
  says: 'Changes what is given, based on the version last seen. A draft: anything, by the same rules as a new one. A published sale: its title and titles; until it starts, its start and its end, to moments to come, and entry and reservations that are to come keep their distance from the start; from then on its end, to a later moment.',
  body: saleEdit,
  answers: { 200: sale },
  errors: [
    'SALE_NOT_FOUND',
    'SALE_STATE',
    'SALE_FIELD_FIXED',
    'VERSION_CONFLICT',
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_ARCHIVED',
    'CAMPAIGN_NEEDS_SCRIPT',
    'PRODUCT_ARCHIVED',
  ],
});

export const publishSale = operation('POST /api/admin/sales/{saleId}/publish', {
  ...change,
  says: 'Makes a draft visible and warms it up, unless a check says stop; again changes nothing.',
  errors: [
    'SALE_NOT_FOUND',
    'SALE_STATE',
    'PREFLIGHT_FAILED',
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_ARCHIVED',
    'CAMPAIGN_NEEDS_SCRIPT',
    'PRODUCT_ARCHIVED',
  ],
});

export const pauseSale = operation('POST /api/admin/sales/{saleId}/pause', {
  ...change,
  says: 'Nobody can buy until it is resumed.',
});

export const resumeSale = operation('POST /api/admin/sales/{saleId}/resume', {
  ...change,
  says: 'Lets buying go on.',
});

export const closeSale = operation('POST /api/admin/sales/{saleId}/close', {
  ...change,
  says: 'Ends it for good.',
});

export const closeWaitlist = operation('POST /api/admin/sales/{saleId}/waitlist/close', {
  ...change,
  says: 'Nobody else joins those who wait for units that come back. Whoever waits keeps the place.',
  errors: ['SALE_NOT_FOUND', 'SALE_STATE', 'NO_WAITLIST'],
});

export const openWaitlist = operation('POST /api/admin/sales/{saleId}/waitlist/open', {
  ...change,
  says: 'Lets people join those who wait again.',
  errors: ['SALE_NOT_FOUND', 'SALE_STATE', 'NO_WAITLIST'],
});

export const changeLimits = operation('PATCH /api/admin/sales/{saleId}/limits', {
  who: 'manageSales',
  says: 'The rate limits, also while it runs; null takes all away.',
  body: givenLimits,
  answers: { 200: sale },
  errors: ['SALE_NOT_FOUND', 'SALE_STATE'],
});

export const changeStock = operation('POST /api/admin/sales/{saleId}/stock', {
  who: 'manageSales',
  asksAgain: true,
  says: 'Adds units, or takes unsold ones back with a negative `delta`, which is not 0. Whoever got no answer asks again with the same `requestId`: it is done once, and another `delta` is refused. A large increase waits for a second person (202).',
  body: restock,
  answers: { 200: z.object({ stock: tiers }), 202: pendingApproval },
  errors: [
    'SALE_NOT_FOUND',
    'SALE_STATE',
    'STOCK_BELOW_COMMITTED',
    'STOCK_UNLIMITED',
    'VARIANT_UNKNOWN',
    'APPROVAL_PENDING',
    'CREATED_OTHERWISE',
  ],
});

export const readAdminDraw = operation('GET /api/admin/sales/{saleId}/draw', {
  who: 'seeAdmin',
  says: 'A draw: who entered, what the weights do, when it was drawn, who has paid and who waits.',
  answers: { 200: adminDraw },
  errors: ['SALE_NOT_FOUND', 'NO_LINE'],
});

export const readAdminLine = operation('GET /api/admin/sales/{saleId}/line', {
  who: 'seeAdmin',
  says: 'The line of a sale with a waiting room: who comes, waits, is let in and gives up, and how it is steered.',
  answers: { 200: adminLine },
  errors: ['SALE_NOT_FOUND', 'NO_LINE'],
});

export const steerLine = operation('PATCH /api/admin/sales/{saleId}/line', {
  who: 'manageSales',
  says: 'Sets the rate of a waiting room, holds it, opens it fully or closes the way in, based on the version last seen. Who was let in stays in.',
  body: lineChange,
  answers: { 200: adminLine },
  errors: ['SALE_NOT_FOUND', 'NO_LINE', 'VERSION_CONFLICT'],
});

export const readLive = operation('GET /api/admin/sales/{saleId}/live', {
  who: 'seeAdmin',
  says: 'The sale in numbers of this second; with `since` also `points`, for at most 15 minutes.',
  query: liveQuery,
  side: { feature: 'live' },
  answers: { 200: live },
  errors: ['SALE_NOT_FOUND'],
});

export const readSituation = operation('GET /api/admin/sales/{saleId}/situation', {
  who: 'seeAdmin',
  says: 'How the sale stands at this instant: its state and stock. Answered also while the live view is switched off.',
  answers: { 200: situation },
  errors: ['SALE_NOT_FOUND'],
});

export const followLive = operation('GET /api/admin/sales/{saleId}/live/events', {
  who: 'seeAdmin',
  says: 'The same as server-sent events, each second, with `points`. A browser that comes back says by `Last-Event-ID` what it has seen.',
  query: liveQuery,
  side: { feature: 'live' },
  answers: { 200: { mediaType: 'text/event-stream', says: 'Events whose data is a Live.' } },
  errors: ['SALE_NOT_FOUND'],
});

export const traceShopper = operation('GET /api/admin/sales/{saleId}/why', {
  who: 'trace',
  says: 'Why somebody did or did not get a unit: each attempt against the clock and the stock. Merchants learn only of accounts that came to their sale.',
  query: traceQuestion,
  side: { feature: 'why' },
  answers: { 200: trace },
  errors: ['SALE_NOT_FOUND', 'USER_NOT_FOUND'],
});

export const readPrewarmList = operation('GET /api/admin/sales/{saleId}/prewarm', {
  who: 'seeAdmin',
  says: 'The pages a CDN should have before the crowd comes.',
  answers: { 200: z.object({ paths: z.array(z.string()), urls: z.array(z.string()) }) },
  errors: ['SALE_NOT_FOUND'],
});
