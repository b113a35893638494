import type { z } from 'zod';

/** The processes that read settings; `start` is `npm start`, before it has any of the others. */
const ROLES = ['start', 'migrate', 'web', 'worker', 'executor'] as const;
export type Role = (typeof ROLES)[number];

/** What docs/SETTINGS.md says of a setting, beside its default. */
export type Told = {
  /** One or two sentences for an operator, as Markdown. */
  says: string;
  usedBy: readonly Role[];
  example?: string;
  /** What holds without it, where the schema has no default. */
  unset?: string;
};

export const SHOP: readonly Role[] = ['web', 'worker'];
export const EVERY_ROLE: readonly Role[] = ['migrate', 'web', 'worker', 'executor'];

/** Adds to a setting what docs/SETTINGS.md says of it. Comes last: a schema made from it would not have it. */
export const tell = <T extends z.ZodType>(kind: T, told: Told): T => kind.meta({ told });

/** @throws Error if nothing was told of the setting. */
export function toldOf(name: string, kind: z.ZodType): Told {
  const { told } = (kind.meta() ?? {}) as { told?: Told };
  if (!told) throw new Error(`say of ${name} what it is for, by tell()`);
  return told;
}
