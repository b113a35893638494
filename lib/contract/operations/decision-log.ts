import { z } from 'zod';
import { area } from '../operation';
import { page, pageOf } from '../shapes/common';
import {
  consistencyQuery,
  digest,
  leavesQuery,
  logCheck,
  logHead,
  logKey,
  logReceipt,
  saleLog,
} from '../shapes/decision-log';

export const decisionLog = area(
  'Proof of fairness',
  'Every decision of a sale is a leaf of a log that can only grow; what each thing proves is in docs/FAIRNESS.md.',
);
const { operation } = decisionLog;

export const listLogHeads = operation('GET /api/sales/{saleId}/log/heads', {
  who: 'nothing',
  says: 'The signed heads of a sale’s decision log, the latest first: one a second while decisions come, and one at the end.',
  query: page,
  answers: { 200: pageOf('heads', logHead) },
  errors: ['SALE_NOT_FOUND'],
});

export const readLogConsistency = operation('GET /api/sales/{saleId}/log/consistency', {
  who: 'nothing',
  says: 'Proves that the log of `from` leaves is the beginning of that of `to` leaves (RFC 9162, 2.1.4).',
  query: consistencyQuery,
  answers: { 200: z.object({ from: z.int(), to: z.int(), proof: z.array(digest) }) },
  errors: ['LOG_SIZE_UNKNOWN'],
});

export const downloadLog = operation('GET /api/sales/{saleId}/log/leaves', {
  who: 'nothing',
  says: 'Every leaf of the log up to its latest head, or the first `size`, one a line: hash each line’s bytes without the line end.',
  query: leavesQuery,
  answers: {
    200: { mediaType: 'application/jsonl', says: 'Leaves: canonical JSON (RFC 8785), people by pseudonyms.' },
  },
  errors: ['LOG_SIZE_UNKNOWN'],
});

export const readLogReceipt = operation('GET /api/sales/{saleId}/log/receipt', {
  who: 'user',
  says: 'The shopper’s own decisions in a sale, each with the proof that it is in the log.',
  answers: { 200: logReceipt },
  errors: ['RECEIPT_NOT_READY'],
});

export const listLogKeys = operation('GET /api/log-keys', {
  who: 'nothing',
  says: 'The public keys that have ever signed heads, the latest first.',
  answers: { 200: z.object({ keys: z.array(logKey) }) },
});

export const readShoppersReceipt = operation('GET /api/admin/sales/{saleId}/receipt', {
  who: 'trace',
  says: 'The receipt of a shopper of this sale, by user id or e-mail address; merchants: of their own sales.',
  query: z.object({ user: z.string().max(254) }),
  answers: { 200: logReceipt },
  errors: ['SALE_NOT_FOUND', 'USER_NOT_FOUND', 'RECEIPT_NOT_READY'],
});

export const readSaleLog = operation('GET /api/admin/sales/{saleId}/log', {
  who: 'seeAdmin',
  says: 'How far the decision log of a sale is, and where its heads are sent.',
  answers: { 200: saleLog },
  errors: ['SALE_NOT_FOUND'],
});

export const verifySaleLog = operation('GET /api/admin/sales/{saleId}/log/verification', {
  who: 'seeAdmin',
  says: 'Whether leaves, hashes, heads and orders fit, as recomputed from the first leaf within the last 15 seconds.',
  answers: { 200: logCheck },
  errors: ['SALE_NOT_FOUND'],
});
