/** Turns the answer of Redis's XINFO, a list of names and values in turn, into a record. */
export function infoRecord(list: readonly unknown[]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (let at = 0; at + 1 < list.length; at += 2) record[String(list[at])] = list[at + 1];
  return record;
}
