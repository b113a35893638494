import { z } from 'zod';
import { auditFilterSchema } from '@/app/api/admin/audit/filter';
import type { ChainVerification } from '@/lib/audit/verify-chain';
import type { AuditEntryView } from '@/lib/desk/audit/list-audit';
import { type Area, operation } from '../operation';
import { count, page, pageOf, time } from '../shapes/common';

/** Any JSON to the database, but actions are recorded with objects. */
const state = z.record(z.string(), z.unknown()).nullable();

const entry = z
  .object({
    ...{ id: z.string(), at: time },
    ...{ actorId: z.string(), actorEmail: z.string().nullable(), actorRole: z.string() },
    action: z.string().describe('noun.verb: `sale.pause`, `order.refund`.'),
    ...{ subjectKind: z.string(), subjectId: z.string() },
    before: state.describe('What the action changed, as it was; null: there was nothing.'),
    after: state.describe('The same as it is; null: there is nothing any more.'),
    reason: z.string().nullable(),
    ...{ previousHash: z.string(), hash: z.string() },
  })
  .meta({ id: 'AuditEntry' }) satisfies z.ZodType<Omit<AuditEntryView, 'before' | 'after'>>;

const verification = z
  .object({
    ...{ ok: z.boolean(), entries: count },
    detail: z.string().describe('The last hash, or which entries are missing, changed or put in.'),
    lastHash: z.string().nullable().describe('To be kept elsewhere; null while nothing is recorded.'),
    checkedAt: time,
  })
  .meta({ id: 'AuditVerification' }) satisfies z.ZodType<ChainVerification>;

const SAYS_OF_FILTER =
  '`actor` is an id or an e-mail address, `action` how it begins; `to` itself is not included.';

export const listAudit = operation({
  id: 'listAudit',
  method: 'GET',
  path: '/api/admin/audit',
  who: 'seeAudit',
  says: `What was done, newest first; ${SAYS_OF_FILTER}`,
  query: page.extend(auditFilterSchema.shape),
  answers: { 200: pageOf('entries', entry) },
});

export const exportAudit = operation({
  id: 'exportAudit',
  method: 'GET',
  path: '/api/admin/audit/export',
  who: 'seeAudit',
  says: `All of it as a file; ${SAYS_OF_FILTER}`,
  query: auditFilterSchema,
  answers: {
    200: {
      mediaType: 'text/csv',
      says: 'id, at, actor_id, actor_email, actor_role, action, subject_kind, subject_id, before, after, reason, previous_hash, hash',
    },
  },
});

export const verifyAudit = operation({
  id: 'verifyAudit',
  method: 'GET',
  path: '/api/admin/audit/verification',
  who: 'seeAudit',
  says: 'Whether the log is whole, as recomputed from its first entry within the last 15 seconds.',
  answers: { 200: verification },
});

export const deskAudit: Area = {
  name: 'Desk: audit log',
  says: 'Who did what at the desk, and whether the log is whole.',
  operations: [listAudit, exportAudit, verifyAudit],
};
