/** Tells how every exported file is written. */
export const SAYS_OF_CSV =
  'UTF-8 with a byte order mark. A number of 16 digits or more stands as `="…"`, so that a spreadsheet keeps all of them.';
