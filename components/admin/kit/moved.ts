/**
 * Returns the list with one item moved.
 * @param by how many places: −1 earlier, 1 later. Beyond an end the list stays as it is.
 */
export function moved<T>(list: readonly T[], index: number, by: number): T[] {
  const to = index + by;
  const item = list[index];
  if (item === undefined || to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_, place) => place !== index);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}
