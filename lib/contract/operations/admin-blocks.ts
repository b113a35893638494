import { area } from '../operation';
import {
  adminBlock,
  block,
  blockFilter,
  blockImport,
  blockPage,
  importedBlocks,
  newBlock,
} from '../shapes/block';
import { MAX_IMPORT_BYTES, page } from '../shapes/common';
import { SAYS_OF_CSV } from './says-of-csv';

export const adminBlocks = area(
  'Admin: blocks',
  'Accounts, networks and devices that may not take part; in force in every process within a second.',
);
const { operation } = adminBlocks;

export const listBlocks = operation('GET /api/admin/blocks', {
  who: 'seeShop',
  says: 'Blocks, newest first; `value` is how the subject begins, or an address within a blocked network.',
  query: page.extend(blockFilter.shape),
  side: { feature: 'search', fields: ['value'] },
  answers: { 200: blockPage },
});

export const addBlock = operation('POST /api/admin/blocks', {
  who: 'operator',
  says: 'Blocks one subject: an account by id or e-mail address, an address or network, a device.',
  body: newBlock,
  answers: { 201: adminBlock },
});

export const liftBlock = operation('POST /api/admin/blocks/{id}/lift', {
  who: 'operator',
  says: 'Ends a block; again changes nothing.',
  answers: { 200: block },
  errors: ['BLOCK_NOT_FOUND'],
});

export const exportBlocks = operation('GET /api/admin/blocks/export', {
  who: 'seeShop',
  asksAgain: true,
  says: 'The list as a file that an import takes.',
  query: blockFilter,
  side: { feature: 'search' },
  answers: {
    200: {
      mediaType: 'text/csv',
      says: `kind, value, reason, expires_at, blocked_by, created_at, lifted_at. ${SAYS_OF_CSV}`,
    },
  },
});

export const importBlocks = operation('POST /api/admin/blocks/import', {
  who: 'operator',
  says: 'Blocks all that a CSV file names (kind, value, reason, expires_at), with commas or semicolons, at most 10,000 lines. Wrong lines are left out and named.',
  body: blockImport,
  maxBytes: MAX_IMPORT_BYTES,
  answers: { 200: importedBlocks },
});
