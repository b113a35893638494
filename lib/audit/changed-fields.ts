import canonicalize from 'canonicalize';

type Fields = Record<string, unknown>;

/** Returns the fields in which two states of one thing differ, before and after; null if none does. */
export function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => canonicalize(before[name]) !== canonicalize(after[name]),
  );
  if (names.length === 0) return null;
  const pick = (from: Fields) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
