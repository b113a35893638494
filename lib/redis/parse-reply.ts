import type { ScriptName } from './run-script';

/**
 * Makes the error for a reply that this version doesn't know: script and parser have drifted apart, or another
 * program answered.
 */
export function unknownReply(name: ScriptName, reply: readonly string[]): Error {
  return new Error(`${name} answered ${JSON.stringify(reply)}`);
}

/** Returns the time after the status, epoch ms. @throws Error if there is none. */
export function replyTime(name: ScriptName, reply: readonly string[]): number {
  const at = Number(reply[1]);
  if (!Number.isSafeInteger(at) || at <= 0) throw unknownReply(name, reply);
  return at;
}

/** Reads the number at `index` of a reply. @throws Error if there is none. */
export function replyNumber(name: ScriptName, reply: readonly string[], index: number): number {
  const value = reply[index];
  const number = Number(value);
  if (value === undefined || value === '' || !Number.isSafeInteger(number)) throw unknownReply(name, reply);
  return number;
}

/** Reads the text at `index` of a reply. @throws Error if there is none. */
export function replyText(name: ScriptName, reply: readonly string[], index: number): string {
  const value = reply[index];
  if (value === undefined || value === '') throw unknownReply(name, reply);
  return value;
}
