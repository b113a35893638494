/**
 * Returns the SQLSTATE of a failed statement, or null if it did not fail in the database. Prisma wraps the driver's
 * error; for raw statements the code is in `meta.driverAdapterError.cause.originalCode`.
 */
export function sqlState(error: unknown, depth = 0): string | null {
  if (typeof error !== 'object' || error === null || depth > 5) return null;
  const { originalCode, code, cause, meta } = error as Record<string, unknown>;
  if (typeof originalCode === 'string') return originalCode;
  // Prisma's own codes (P2010) look like SQLSTATEs of the same class.
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^P\d{4}$/.test(code)) return code;
  const wrapped = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  return sqlState(wrapped, depth + 1) ?? sqlState(cause, depth + 1);
}

/**
 * Tells whether Postgres refused the data itself: a value out of range (22), a constraint (23), the check of a view
 * (44), or a trigger's own exception (P0). Trying again can't help. Anything else blames the server or us.
 */
export function isDataError(error: unknown): boolean {
  return /^(22|23|44|P0)/.test(sqlState(error) ?? '');
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** Tells whether a write failed because another row has the value already. */
export const isDuplicate = (error: unknown): boolean =>
  sqlState(error) === UNIQUE_VIOLATION || (error as { code?: unknown }).code === 'P2002';

/** Tells whether a write failed because a row that it refers to does not exist. */
export const isReferenceMissing = (error: unknown): boolean => sqlState(error) === FOREIGN_KEY_VIOLATION;
