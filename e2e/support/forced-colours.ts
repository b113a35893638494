import { expect, type Page } from '@playwright/test';

/** Expects that everything on a page can be told apart by somebody whose browser has a few colours of its own. */
export async function expectTellable(page: Page, name: string): Promise<void> {
  const looks = await page.evaluate(() => {
    const colourOf = (value: string) => {
      const probe = document.createElement('i');
      probe.style.cssText = `forced-color-adjust: none; color: ${value}`;
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    };
    const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true });
    const main = document.querySelector('main') as HTMLElement;
    const buttons = [...main.querySelectorAll<HTMLElement>('button, a.min-h-14')].filter(isShown);
    const bars = [...main.querySelectorAll('[role=progressbar]')].filter(isShown);
    return {
      grey: colourOf('GrayText'),
      canvas: colourOf('Canvas'),
      text: colourOf('CanvasText'),
      buttons: buttons.map((button) => {
        const { color, backgroundColor, borderTopColor } = getComputedStyle(button);
        return {
          text: button.textContent,
          isOff: button.getAttribute('aria-disabled') === 'true',
          isMain: button.classList.contains('bg-accent'),
          look: [color, backgroundColor, borderTopColor],
        };
      }),
      bars: bars.map((bar) => {
        const [track, fill] = [bar, bar.firstElementChild as Element].map((part) => getComputedStyle(part));
        return {
          name: bar.getAttribute('aria-label'),
          isFilled: Number(bar.getAttribute('aria-valuenow')) > 0,
          edge: `${track?.borderTopWidth} ${track?.borderTopStyle} ${track?.borderTopColor}`,
          track: track?.backgroundColor,
          fill: fill?.backgroundColor,
        };
      }),
    };
  });
  const { grey, canvas, text } = looks;
  for (const { isOff, isMain, look, ...button } of looks.buttons) {
    const words = `${name}: ${button.text}`;
    const [color, background] = look;
    expect.soft(color, words).not.toBe(background);
    if (isOff) expect.soft([color, background], words).toEqual([grey, canvas]);
    else {
      expect.soft(look, words).not.toContain(grey);
      if (isMain) expect.soft([canvas, text], words).not.toContain(background);
    }
  }
  for (const { isFilled, edge, track, fill, ...bar } of looks.bars) {
    expect.soft(edge, `${name}: ${bar.name}`).toBe(`1px solid ${text}`);
    if (isFilled) expect.soft(fill, `${name}: ${bar.name}`).not.toBe(track);
  }
}

/** Expects that whatever the keyboard comes to has an edge that the rest of the page has not. @returns how much that is */
export async function expectFocusSeen(page: Page, name: string): Promise<number> {
  await page.getByRole('main').evaluate((main) => {
    main.tabIndex = -1;
    main.focus();
  });
  for (let count = 0; ; count += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element?.closest('main') || element.matches('main')) return null;
      const behind = getComputedStyle(document.body).backgroundColor;
      // A link that fills a card has the card's edge.
      // The browser itself shows which part of a date, or of a framed document, has the focus.
      let isSeen = element.matches('input[type*=date]:not(:focus-visible), iframe');
      for (let at: Element | null = element; at && !at.matches('main'); at = at.parentElement) {
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(at);
        isSeen ||= outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && outlineColor !== behind;
      }
      return { text: element.textContent, isSeen };
    });
    if (!focused || count > 60) return count;
    expect.soft(focused.isSeen, `${name}: ${focused.text}`).toBe(true);
  }
}
