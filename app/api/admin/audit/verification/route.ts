import { authorize } from '@/lib/account/authorize';
import { recentAuditCheck } from '@/lib/desk/audit/recent-audit-check';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { route } from '@/lib/http/route';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeAudit');
  return auth.ok ? json(await recentAuditCheck()) : auth.response;
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
