/** The notices for a page whose form was sent without script. The page has one sentence for each, and no others. */
export const FORM_NOTICES = [
  'wrong',
  'wait',
  'busy',
  'invalid',
  'cookies',
  'taken',
  'guessable',
  'code',
  'over',
  'server_failed',
  'server_refused',
  'server_unverified',
  'server_exists',
] as const;
export type FormNotice = (typeof FORM_NOTICES)[number];

export const isFormNotice = (name: string): name is FormNotice =>
  (FORM_NOTICES as readonly string[]).includes(name);

/** The waits that a page without script can name, s: it can't count down, so it has a sentence for each of these. */
export const SAID_WAITS_SEC = [10, 60, 300, 900] as const;

/** Returns the name of a notice in the page, for the `#` of its address. */
export function noticeAnchor(notice: FormNotice, waitMs = 0): string {
  if (notice !== 'wait') return notice;
  return `wait-${SAID_WAITS_SEC.find((sec) => sec * 1_000 >= waitMs) ?? SAID_WAITS_SEC.at(-1)}`;
}
