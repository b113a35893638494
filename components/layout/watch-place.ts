/** Dialogs give the focus back, and boxes exchange their controls, in their own time: they know better, and go first. */
const OTHERS_FIRST_MS = 100;

/** Where the focus was last: the control, what it stood in from the inside out, and the row of a list or table. */
interface Place {
  control: Element;
  within: HTMLElement[];
  row: HTMLElement | null;
  rowNr: number;
  /** The last row above what stands right below a list, such as the button that shows more of it. */
  lastRow: Element | undefined;
}

/**
 * Watches where the focus is within <main>. When that goes away and nothing else takes the focus, it is put where the
 * reader was: on the row that the control stood in, on the row that is in its place now, on what a list has got more, or
 * on the heading above.
 * @returns ends the watch
 */
export function watchPlace(): () => void {
  let last: Place | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const remember = ({ target }: Event) => {
    if (target instanceof HTMLElement && target.closest('main')) last = placeOf(target);
  };
  // Whoever presses beside every control wants the focus nowhere.
  const forget = () => {
    last = null;
  };
  const isLost = () => last !== null && !last.control.isConnected && document.activeElement === document.body;
  const restore = () => {
    if (last && isLost()) focusOn(nextTo(last));
  };
  const observer = new MutationObserver(() => {
    if (!isLost()) return;
    clearTimeout(timer);
    timer = setTimeout(restore, OTHERS_FIRST_MS);
  });

  document.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', forget);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', remember);
    document.removeEventListener('pointerdown', forget);
  };
}

function placeOf(control: HTMLElement): Place {
  const within: HTMLElement[] = [];
  for (let at = control.parentElement; at && at !== document.body; at = at.parentElement) within.push(at);
  const row = control.closest<HTMLElement>('main :is(li, tr)');
  return {
    control,
    within,
    row,
    rowNr: row?.parentElement ? [...row.parentElement.children].indexOf(row) : 0,
    lastRow: [...(control.previousElementSibling?.querySelectorAll('li, tr') ?? [])].at(-1),
  };
}

function nextTo({ within, row, rowNr, lastRow }: Place): HTMLElement | null {
  if (row?.isConnected) return row;
  const more = lastRow?.isConnected ? (lastRow.nextElementSibling ?? lastRow) : null;
  if (more instanceof HTMLElement) return more;
  const list = row && within[within.indexOf(row) + 1];
  const left = list?.isConnected ? [...list.children] : [];
  const moved = left[Math.min(rowNr, left.length - 1)];
  if (moved instanceof HTMLElement) return moved;
  const section = within.find((element) => element.isConnected && element.matches('section'));
  return section?.querySelector<HTMLElement>('h1, h2, h3') ?? document.querySelector<HTMLElement>('main h1');
}

function focusOn(element: HTMLElement | null): void {
  if (!element) return;
  element.tabIndex = -1;
  // Only as far as needed: whoever uses a mouse should not see the page jump.
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}
