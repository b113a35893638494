import { z } from 'zod';
import { area } from '../operation';
import { explanation } from '../shapes/attempt';
import { challenge, challengeAnswer, challengeWish } from '../shapes/challenge';
import { page, pageOf, time } from '../shapes/common';
import { entryGrant } from '../shapes/entry';
import { joinWish, ownPlace } from '../shapes/line';
import { lineProof } from '../shapes/line-proof';
import { purchaseWish, variantWish } from '../shapes/purchase';
import { liveSale, publicCampaign, saleState } from '../shapes/sale';
import { waitlistPlace } from '../shapes/waitlist';

export const shop = area(
  'Sales',
  'From the list of sales to the purchase, in the order in which a shopper meets them.',
);
const { operation } = shop;

export const purchaseSchema = purchaseWish.extend({
  entryToken: z.string().optional(),
  isFirstTry: z.boolean().optional(),
});

export const listSales = operation('GET /api/sales', {
  who: 'nothing',
  says: 'Published and closed sales: those that run, those to come, those that are over. At most about a second old; cacheable for a second at most, never across a start or an end. 503 rather than a list of more than 10 s ago.',
  query: page,
  answers: { 200: pageOf('sales', liveSale) },
});

export const readCampaign = operation('GET /api/campaigns/{slug}', {
  who: 'nothing',
  says: 'A campaign with its sales and their states, as fresh as the list of sales. There is one once a sale of it is published.',
  answers: { 200: publicCampaign },
  errors: ['CAMPAIGN_NOT_FOUND'],
});

export const readSaleState = operation('GET /api/sales/{saleId}/state', {
  who: 'nothing',
  says: 'What a sale is right now, the same for everybody. Cacheable for a second at most, never across a change; not at all with `clock`.',
  query: z.object({
    clock: z.string().optional().describe('Any value: the answer sets a clock and no cache may keep it.'),
  }),
  answers: { 200: saleState },
  errors: ['SALE_NOT_FOUND', 'STOCK_UNAVAILABLE'],
});

export const followSale = operation('GET /api/sales/{saleId}/events', {
  who: 'nothing',
  says: 'The state as server-sent events: one at once, then one whenever it changes.',
  side: { feature: 'streams' },
  answers: { 200: { mediaType: 'text/event-stream', says: 'Events whose data is a SaleState.' } },
  errors: ['SALE_NOT_FOUND', 'STOCK_UNAVAILABLE'],
});

export const findReservation = operation('GET /api/sales/{saleId}/reservation', {
  who: 'user',
  says: "The shopper's own reservation.",
  answers: { 200: z.object({ reservedAt: time }) },
  errors: ['SALE_NOT_FOUND', 'RESERVATION_NOT_FOUND'],
});

export const reserve = operation('POST /api/sales/{saleId}/reservation', {
  who: 'user',
  says: 'Reserves in a sale that wants it: 201 the first time, 200 ever after.',
  answers: { 201: z.object({ reservedAt: time }), 200: z.object({ reservedAt: time }) },
  errors: ['SALE_NOT_FOUND', 'RESERVATION_CLOSED', 'BLOCKED', 'RATE_LIMITED'],
});

export const cancelReservation = operation('DELETE /api/sales/{saleId}/reservation', {
  who: 'user',
  says: "Cancels the shopper's own reservation; again changes nothing.",
  answers: { 200: z.object({ cancelledAt: time }) },
  errors: ['SALE_NOT_FOUND', 'RESERVATION_NOT_FOUND', 'RESERVATION_CLOSED', 'RATE_LIMITED'],
});

export const askForChallenge = operation('POST /api/sales/{saleId}/challenge', {
  who: 'user',
  says: 'Something to solve before entry, good for one answer. `kind` asks for one of its `alternatives` instead: another puzzle, or the calculation where the sale allows it.',
  body: challengeWish,
  isBodyOptional: true,
  answers: { 200: challenge },
  errors: [
    'SALE_NOT_FOUND',
    'CHALLENGE_NOT_NEEDED',
    'CHALLENGE_NOT_OFFERED',
    'SALE_ENDED',
    'ENTRY_NOT_OPEN',
    'BLOCKED',
    'RATE_LIMITED',
  ],
});

export const findPlace = operation('GET /api/sales/{saleId}/line', {
  who: 'user',
  says: "The shopper's own place in the line of a sale with a waiting room or a draw.",
  answers: { 200: ownPlace },
  errors: ['SALE_NOT_FOUND', 'NOT_IN_LINE'],
});

export const joinLine = operation('POST /api/sales/{saleId}/line', {
  who: 'user',
  says: 'Gives a place in the line: 201 the first time, 200 and the same place ever after, whatever the device. Whoever left, or whose turn is over, gets a new place at the back, four times at most. A draw of a sale with variants wants one named; with another one than before, the old place is given up for a new one in the same way, and the wish is changed. Checks what an entry checks.',
  body: joinWish,
  isBodyOptional: true,
  answers: { 201: ownPlace, 200: ownPlace },
  errors: [
    'SALE_NOT_FOUND',
    'NO_LINE',
    'VARIANT_UNKNOWN',
    'SALE_ENDED',
    'ENTRY_NOT_OPEN',
    'LINE_CLOSED',
    'JOINED_TOO_OFTEN',
    'PLACE_TAKEN',
    'DEVICE_REQUIRED',
    'BLOCKED',
    'RATE_LIMITED',
    'LEVEL_TOO_LOW',
    'NOT_RESERVED',
    'ACCOUNT_TOO_NEW',
    'EMAIL_UNVERIFIED',
    'CHALLENGE_REQUIRED',
    'CHALLENGE_FAILED',
  ],
});

export const leaveLine = operation('DELETE /api/sales/{saleId}/line', {
  who: 'user',
  says: "Gives the shopper's own place up, and with it everything the shopper had there: the entry token, the place on the waitlist, and what was won and is not paid. Again changes nothing.",
  answers: { 200: z.object({ leftAt: time }) },
  errors: ['SALE_NOT_FOUND', 'NOT_IN_LINE', 'STOCK_UNAVAILABLE'],
});

export const readLineProof = operation('GET /api/sales/{saleId}/line/proof', {
  who: 'nothing',
  says: 'What the order of a line or draw follows from, and the order itself under pseudonyms, in pages: anybody can recompute it. Before the order is made, the hash of the seed alone.',
  query: z.object({
    from: z.coerce
      .number()
      .int()
      .min(0)
      .max(100_000_000)
      .default(0)
      .describe('The first number of the page.'),
  }),
  answers: { 200: lineProof },
  errors: ['SALE_NOT_FOUND', 'NO_LINE'],
});

export const enter = operation('POST /api/sales/{saleId}/entry', {
  who: 'user',
  says: 'Checks everything that is expensive to check and gives the token that buys. Each token is good for one purchase.',
  body: z.object({ challenge: challengeAnswer.optional() }),
  isBodyOptional: true,
  answers: { 200: entryGrant },
  errors: [
    'SALE_NOT_FOUND',
    'SALE_ENDED',
    'ENTRY_NOT_OPEN',
    'BLOCKED',
    'RATE_LIMITED',
    'LEVEL_TOO_LOW',
    'NOT_RESERVED',
    'ACCOUNT_TOO_NEW',
    'EMAIL_UNVERIFIED',
    'CHALLENGE_REQUIRED',
    'CHALLENGE_FAILED',
    'LIMIT_REACHED',
    'STOCK_UNAVAILABLE',
    'DRAW_ONLY',
    'NOT_IN_LINE',
    'NOT_ADMITTED',
    'TURN_OVER',
  ],
});

export const purchase = operation('POST /api/sales/{saleId}/purchase/{gate}', {
  who: 'entryToken',
  says: 'Buys; the order is written afterwards. The same token again gets the same answer with `replay: true`. `queued`: accepted. `undecided`, in a sale of the strategy `queue`: no promise; the address of the order says within a second what became of it. A page on another origin sends the token as `entryToken` in a body of `text/plain`, which needs no preflight; `isFirstTry` says that no purchase of this shopper before it is without its answer.',
  body: purchaseSchema,
  isBodyOptional: true,
  answers: {
    202: z.object({ orderNo: z.string(), status: z.enum(['queued', 'undecided']), replay: z.boolean() }),
  },
  errors: [
    'ENTRY_INVALID',
    'GATE_INVALID',
    'BLOCKED',
    'NOT_RESERVED',
    'SALE_NOT_FOUND',
    'NOT_STARTED',
    'ENDED',
    'PAUSED',
    'SOLD_OUT',
    'LIMIT_REACHED',
    'INVALID_QUANTITY',
    'VARIANT_UNKNOWN',
    'IDEMPOTENCY_MISMATCH',
    'DRAW_ONLY',
    'RATE_LIMITED',
    'STOCK_UNAVAILABLE',
  ],
});

export const findWaitlistPlace = operation('GET /api/sales/{saleId}/waitlist', {
  who: 'sessionOrEntryToken',
  says: "The shopper's own place among those who wait for a unit that comes back. `askAgainMs` says when it makes sense to ask again.",
  answers: { 200: waitlistPlace },
  errors: ['SALE_NOT_FOUND', 'NO_WAITLIST', 'STOCK_UNAVAILABLE'],
});

export const joinWaitlist = operation('POST /api/sales/{saleId}/waitlist', {
  who: 'entryToken',
  says: 'Takes a place for one unit, of the variant named where the sale has some: 201 the first time, 200 with the same place ever after, whatever variant is named. Once a unit comes back it is an accepted purchase of this entry token, with its own time to pay; a purchase with the same token answers that order.',
  body: variantWish,
  isBodyOptional: true,
  answers: { 201: waitlistPlace, 200: waitlistPlace },
  errors: [
    'ENTRY_INVALID',
    'BLOCKED',
    'SALE_NOT_FOUND',
    'VARIANT_UNKNOWN',
    'NO_WAITLIST',
    'WAITLIST_CLOSED',
    'WAITLIST_FULL',
    'UNITS_FOR_SALE',
    'NOT_STARTED',
    'ENDED',
    'LIMIT_REACHED',
    'RATE_LIMITED',
    'STOCK_UNAVAILABLE',
  ],
});

export const leaveWaitlist = operation('DELETE /api/sales/{saleId}/waitlist', {
  who: 'user',
  says: 'Gives the place up; again changes nothing. A unit that came before stays, as an order.',
  answers: { 200: waitlistPlace },
  errors: ['SALE_NOT_FOUND', 'NO_WAITLIST', 'STOCK_UNAVAILABLE'],
});

export const explainAttempts = operation('GET /api/sales/{saleId}/why', {
  who: 'user',
  says: "Why the shopper got something or did not: the own attempts against the sale's clock.",
  side: { feature: 'why' },
  answers: { 200: explanation },
  errors: ['SALE_NOT_FOUND'],
});
