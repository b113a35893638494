import 'server-only';
import { findUserId } from '@/lib/account/find-user-id';
import { listActions } from '@/lib/audit/list-actions';
import type { AuditEntryView, AuditFilter, AuditPage } from '@/lib/contract/shapes/audit';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';
import type { AuditEntry } from '@/prisma/generated/client';

/** Returns one page of the actions in the admin area, newest first. @returns null for a foreign cursor. */
export async function listAudit(page: Page, { actor, ...filter }: AuditFilter): Promise<AuditPage | null> {
  const actorId = actor?.includes('@') ? await findUserId(actor) : actor;
  if (actorId === null) return { entries: [], nextCursor: null };
  const list = await listActions(page, { ...filter, actorId });
  if (!list) return null;
  const ids = [...new Set(list.entries.map((entry) => entry.actorId))];
  const users = await db().user.findMany({ where: { id: { in: ids } }, select: { id: true, email: true } });
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const toView = (entry: AuditEntry): AuditEntryView => ({
    ...entry,
    id: String(entry.id),
    at: entry.at.getTime(),
    before: entry.before as AuditEntryView['before'],
    after: entry.after as AuditEntryView['after'],
    actorEmail: emails.get(entry.actorId) ?? null,
  });
  return { entries: list.entries.map(toView), nextCursor: list.nextCursor };
}
