/** What a page whose form was sent without script can be told: it has a sentence for each, and for nothing else. */
export const FORM_NOTICES = ['wrong', 'wait', 'busy', 'invalid', 'cookies', 'taken'] as const;
export type FormNotice = (typeof FORM_NOTICES)[number];

export const isFormNotice = (name: string): name is FormNotice =>
  (FORM_NOTICES as readonly string[]).includes(name);

/** How long a page without script can say to wait, s: it can't count, so it has a sentence for each of these. */
export const SAID_WAITS_SEC = [10, 60, 300, 900] as const;

/** The name of a notice in the page, for the `#` of its address. */
export function noticeAnchor(notice: FormNotice, waitMs = 0): string {
  if (notice !== 'wait') return notice;
  return `wait-${SAID_WAITS_SEC.find((sec) => sec * 1_000 >= waitMs) ?? SAID_WAITS_SEC.at(-1)}`;
}
