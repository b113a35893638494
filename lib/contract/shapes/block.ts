import { z } from 'zod';
import { BLOCK_KINDS, ROW_PROBLEMS, SUBJECT_PROBLEMS } from '../words/block';
import { count, csvFile, LATEST_MS, pageOf, reason, time } from './common';

export const block = z
  .object({
    id: z.string(),
    kind: z.enum(BLOCK_KINDS),
    value: z.string().describe('User id; address or network; device id.'),
    reason: z.string(),
    by: z.string().describe('User id, or `rule:<id>`.'),
    createdAt: time,
    expiresAt: time.nullable().describe('Null: until it is lifted.'),
    liftedAt: time.nullable(),
    liftedBy: z.string().nullable(),
  })
  .meta({ id: 'Block' });
export type BlockView = z.output<typeof block>;

export const adminBlock = block
  .extend({
    email: z.string().nullable().describe('Of the blocked account; null for others.'),
    byEmail: z.string().nullable().describe('Of the account that blocked it; null if a rule did.'),
  })
  .meta({ id: 'AdminBlock' });

/** A block with the e-mail addresses of the accounts in it. */
export type AdminBlock = z.output<typeof adminBlock>;

const deviceRefusals = z.object({ altered: count, expired: count, other_browser: count });

/** How many device cookies were rejected, by reason. */
export type DeviceRefusals = z.output<typeof deviceRefusals>;

export const blockPage = pageOf('blocks', adminBlock).extend({
  refusedDevices: deviceRefusals
    .nullable()
    .describe('Device cookies that were not believed today (UTC); null while nobody can tell.'),
});
export type AdminBlockPage = z.output<typeof blockPage>;

export const blockFilter = z.object({
  state: z.enum(['live', 'all']).default('live').describe('`live`: in force now.'),
  kind: z.enum(BLOCK_KINDS).optional(),
  value: z
    .string()
    .trim()
    .max(254)
    .describe('How the subject begins; of an address also the networks that hold it.')
    .optional(),
});
export type BlockFilter = z.output<typeof blockFilter>;

export const newBlock = z.object({
  kind: z.enum(BLOCK_KINDS),
  value: z.string().trim().min(1).max(254).describe('Of an account its id or e-mail address.'),
  reason,
  expiresAt: z
    .number()
    .int()
    .min(0)
    .max(LATEST_MS)
    .nullish()
    .describe('Epoch milliseconds; null or left out: until it is lifted.'),
});
export type NewBlock = z.output<typeof newBlock>;

export const blockImport = z.object({ csv: csvFile });

const importError = z.object({
  line: z.int(),
  problem: z.enum([...ROW_PROBLEMS, ...SUBJECT_PROBLEMS, 'in_the_past']),
});
export type ImportError = z.output<typeof importError>;

export const importedBlocks = z.object({
  imported: count,
  failed: count,
  errors: z.array(importError).describe('The first 100; more are only counted.'),
});
export type ImportedBlocks = z.output<typeof importedBlocks>;
