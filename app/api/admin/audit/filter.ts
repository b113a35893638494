import { z } from 'zod';

const MAX_TIME_MS = 4_102_444_800_000;
const text = z.string().trim().max(254).optional();
const time = z.coerce.number().int().min(0).max(MAX_TIME_MS).optional();

export const auditFilterSchema = z.object({
  actor: text,
  action: text,
  subjectId: text,
  from: time,
  to: time,
});

/** Reads `?actor=&action=&subjectId=&from=&to=`; what is empty is not asked for. */
export function parseAuditFilter(url: string) {
  const { searchParams } = new URL(url);
  const given = Object.keys(auditFilterSchema.shape).map((name) => [
    name,
    searchParams.get(name)?.trim() || undefined,
  ]);
  return auditFilterSchema.safeParse(Object.fromEntries(given));
}
