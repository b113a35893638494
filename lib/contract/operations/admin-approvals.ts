import { area } from '../operation';
import { approval, approvalFilter, listedApproval } from '../shapes/approval';
import { page, pageOf, reasonBody } from '../shapes/common';

export const adminApprovals = area(
  'Admin: approvals',
  'Large increases of stock and large refunds, which wait 24 hours for a second person.',
);
const { operation } = adminApprovals;

export const listApprovals = operation('GET /api/admin/approvals', {
  who: 'seeAdmin',
  says: 'What was asked for, newest first; merchants see what is about their own sales.',
  query: page.extend(approvalFilter.shape),
  answers: { 200: pageOf('approvals', listedApproval) },
});

export const approveRequest = operation('POST /api/admin/approvals/{id}/approve', {
  who: 'manageSales',
  asksAgain: true,
  says: 'Does what was asked for, once. What is no longer possible is `failed`, with why as its `outcome`.',
  answers: { 200: approval },
  errors: ['APPROVAL_NOT_FOUND', 'APPROVAL_OWN', 'APPROVAL_DECIDED'],
});

export const rejectRequest = operation('POST /api/admin/approvals/{id}/reject', {
  who: 'manageSales',
  says: 'Says no; whoever asked may take their own question back.',
  body: reasonBody,
  answers: { 200: approval },
  errors: ['APPROVAL_NOT_FOUND', 'APPROVAL_DECIDED'],
});
