import { area } from '../operation';
import { auditFilter, auditPage, auditVerification } from '../shapes/audit';
import { page } from '../shapes/common';
import { SAYS_OF_CSV } from './says-of-csv';

export const adminAudit = area(
  'Admin: audit log',
  'Who did what in the admin area, and whether the log is whole.',
);
const { operation } = adminAudit;

const SAYS_OF_FILTER =
  '`actor` is an id or an e-mail address, `action` how it begins; `to` itself is not included.';

export const listAudit = operation('GET /api/admin/audit', {
  who: 'seeAudit',
  says: `What was done, newest first; ${SAYS_OF_FILTER}`,
  query: page.extend(auditFilter.shape),
  answers: { 200: auditPage },
});

export const exportAudit = operation('GET /api/admin/audit/export', {
  who: 'seeAudit',
  asksAgain: true,
  says: `All of it as a file; ${SAYS_OF_FILTER}`,
  query: auditFilter,
  answers: {
    200: {
      mediaType: 'text/csv',
      says: `id, at, actor_id, actor_email, actor_role, action, subject_kind, subject_id, before, after, reason, previous_hash, hash. ${SAYS_OF_CSV}`,
    },
  },
});

export const verifyAudit = operation('GET /api/admin/audit/verification', {
  who: 'seeAudit',
  says: 'Whether the log is whole, as recomputed from its first entry within the last 15 seconds.',
  answers: { 200: auditVerification },
});
