import 'server-only';
import { type ActionFilter, listActions } from '@/lib/audit/list-actions';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';
import type { AuditEntry } from '@/prisma/generated/client';

/** Whose actions: of an account its id or e-mail address. */
export type AuditFilter = Omit<ActionFilter, 'actorId'> & { actor?: string };

/** An action as the desk shows it. */
export type AuditEntryView = Omit<AuditEntry, 'id' | 'at'> & {
  id: string;
  /** Epoch ms. */
  at: number;
  /** Null if no such account exists (any more). */
  actorEmail: string | null;
};

export type AuditPage = { entries: AuditEntryView[]; nextCursor: string | null };

/** One page of what was done at the desk, newest first. @returns null for a foreign cursor. */
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
    actorEmail: emails.get(entry.actorId) ?? null,
  });
  return { entries: list.entries.map(toView), nextCursor: list.nextCursor };
}

async function findUserId(email: string): Promise<string | null> {
  const where = { email: email.toLowerCase() };
  return (await db().user.findUnique({ where, select: { id: true } }))?.id ?? null;
}
