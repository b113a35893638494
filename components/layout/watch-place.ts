/**
 * Waits this long first: dialogs return the focus, and boxes replace their controls, in their own time, and they know
 * a better place.
 */
const OTHERS_FIRST_MS = 100;

/** The last place of the focus: the control, its containers from the inside out, and the row of a list or table. */
interface Place {
  control: Element;
  within: HTMLElement[];
  row: HTMLElement | null;
  rowNr: number;
  /** The last row above a control that stands right below a list, such as the button that shows more rows. */
  lastRow: Element | undefined;
}

/**
 * Watches where the focus is within <main>. When the focused control disappears and no other takes the focus, it
 * focuses the place where the reader was: the control's row, the row now in its place, the rows a list has gained, or
 * the heading above.
 * @returns a function that ends the watch
 */
export function watchPlace(): () => void {
  let last: Place | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const remember = ({ target }: Event) => {
    if (target instanceof HTMLElement && target.closest('main')) last = placeOf(target);
  };
  // A press beside every control means that the visitor wants the focus nowhere.
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
  // Scrolls only as far as needed: the page must not jump for a visitor with a mouse.
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}
