import { z } from 'zod';
import { blockFilterSchema } from '@/app/api/admin/blocks/filter';
import { BLOCK_KINDS, type BlockView } from '@/lib/block/types';
import { addBlockSchema } from '@/lib/desk/blocks/add-block';
import { type ImportError, importBlocksSchema } from '@/lib/desk/blocks/import-blocks';
import type { DeskBlock } from '@/lib/desk/blocks/list-desk-blocks';
import { type Area, operation } from '../operation';
import { count, page, pageOf, time } from '../shapes/common';

const block = z
  .object({
    ...{ id: z.string(), kind: z.enum(BLOCK_KINDS), value: z.string(), reason: z.string() },
    by: z.string().describe('User id, or `rule:<id>`.'),
    createdAt: time,
    expiresAt: time.nullable().describe('Null: until it is lifted.'),
    ...{ liftedAt: time.nullable(), liftedBy: z.string().nullable() },
  })
  .meta({ id: 'Block' }) satisfies z.ZodType<BlockView>;

const deskBlock = block
  .extend({ email: z.string().nullable(), byEmail: z.string().nullable() })
  .meta({ id: 'DeskBlock' }) satisfies z.ZodType<DeskBlock>;

const importError = z.object({
  line: z.int(),
  problem: z.enum([
    ...(['kind', 'reason', 'expires_at', 'not_an_id', 'not_a_network', 'too_wide'] as const),
    'in_the_past',
  ]),
}) satisfies z.ZodType<ImportError>;

export const listBlocks = operation({
  id: 'listBlocks',
  method: 'GET',
  path: '/api/admin/blocks',
  who: 'seeShop',
  says: 'Blocks, newest first; `value` is how the subject begins, or an address within a blocked network.',
  query: page.extend(blockFilterSchema.shape),
  answers: {
    200: pageOf('blocks', deskBlock).extend({
      refusedDevices: z
        .object({ altered: count, expired: count, other_browser: count })
        .nullable()
        .describe('Device cookies that were not believed today (UTC).'),
    }),
  },
});

export const addBlock = operation({
  id: 'addBlock',
  method: 'POST',
  path: '/api/admin/blocks',
  who: 'operator',
  says: 'Blocks one subject: an account by id or e-mail address, an address or network, a device.',
  body: addBlockSchema,
  answers: { 201: deskBlock },
});

export const liftBlock = operation({
  id: 'liftBlock',
  method: 'POST',
  path: '/api/admin/blocks/{id}/lift',
  who: 'operator',
  says: 'Ends a block; again changes nothing.',
  answers: { 200: block },
  errors: ['BLOCK_NOT_FOUND'],
});

export const exportBlocks = operation({
  id: 'exportBlocks',
  method: 'GET',
  path: '/api/admin/blocks/export',
  who: 'seeShop',
  says: 'The list as a file that an import takes.',
  query: blockFilterSchema,
  answers: {
    200: {
      mediaType: 'text/csv',
      says: 'kind, value, reason, expires_at, blocked_by, created_at, lifted_at',
    },
  },
});

export const importBlocks = operation({
  id: 'importBlocks',
  method: 'POST',
  path: '/api/admin/blocks/import',
  who: 'operator',
  says: 'Blocks all that a CSV file names (kind, value, reason, expires_at), at most 10,000 lines. Wrong lines are left out and named.',
  body: importBlocksSchema,
  answers: {
    200: z.object({ imported: count, failed: count, errors: z.array(importError) }),
  },
});

export const deskBlocks: Area = {
  name: 'Desk: blocks',
  says: 'Accounts, networks and devices that may not take part; in force in every process within a second.',
  operations: [listBlocks, addBlock, liftBlock, exportBlocks, importBlocks],
};
