import { z } from 'zod';
import { count, filterTime, pageOf, time } from './common';

/** The database accepts any JSON here, but actions are recorded with objects. */
const state = z.record(z.string(), z.unknown()).nullable();

const auditEntry = z
  .object({
    id: z.string(),
    at: time,
    actorId: z.string(),
    actorEmail: z.string().nullable().describe('Null if no such account exists any more.'),
    actorRole: z.string(),
    action: z.string().describe('noun.verb: `sale.pause`, `order.refund`.'),
    subjectKind: z.string(),
    subjectId: z.string(),
    before: state.describe('What the action changed, as it was; null: there was nothing.'),
    after: state.describe('The same as it is; null: there is nothing any more.'),
    reason: z.string().nullable(),
    previousHash: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'AuditEntry' });

/** An action as the admin area shows it. */
export type AuditEntryView = z.output<typeof auditEntry>;

export const auditPage = pageOf('entries', auditEntry);
export type AuditPage = z.output<typeof auditPage>;

const text = z.string().trim().max(254);
export const auditFilter = z.object({
  actor: text.describe('Whose actions: the id of an account, or its e-mail address.').optional(),
  action: text.describe('How it begins: `sale.`, `order.refund`.').optional(),
  subjectId: text.optional(),
  from: filterTime.optional(),
  to: filterTime.describe('Not included.').optional(),
});
export type AuditFilter = z.output<typeof auditFilter>;

export const auditVerification = z
  .object({
    ok: z.boolean(),
    entries: count,
    detail: z.string().describe('The last hash, or which entries are missing, changed or put in.'),
    lastHash: z.string().nullable().describe('To be kept elsewhere; null while nothing is recorded.'),
    checkedAt: time,
  })
  .meta({ id: 'AuditVerification' });
export type ChainVerification = z.output<typeof auditVerification>;
