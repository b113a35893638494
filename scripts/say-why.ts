import { isOutage } from '@/lib/errors/is-outage';
import { Problem } from './infra/problem.mjs';
import { UsageError } from './usage-error';

/** Says why a command could not be carried out: one sentence, or the whole stack of what is a bug. */
export function sayWhy(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isForPeople =
    error instanceof UsageError ||
    error instanceof Problem ||
    error.message.startsWith('These environment variables');
  if (isForPeople) return error.message;
  if ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) return error.message;
  if (isOutage(error)) {
    return `Postgres or Redis cannot be reached (${reason(error)}): is the product running? Start it with npm start.`;
  }
  return error.stack ?? error.message;
}

function reason(error: Error): string {
  const text = error.message.split('\n').findLast((line) => line.trim() !== '') ?? error.name;
  return text.trim();
}
