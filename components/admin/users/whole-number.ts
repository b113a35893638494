/** Reads what was typed into a field for a whole number; NaN: it is none. */
export const wholeNumber = (text: string): number =>
  /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
