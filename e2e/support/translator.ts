import type { Page } from '@playwright/test';

/**
 * Lets the browser do to a page, from the very first, what its translator does: it replaces each text by one of its own in
 * two `<font>` elements, again and again. The texts stay as they are, for the tests that read them.
 */
export const translate = (page: Page): Promise<unknown> => page.addInitScript(replaceTexts);

/** Runs in the page, before its own scripts. */
function replaceTexts(): void {
  const own = new WeakSet<Node>();
  const font = (child: Node) => {
    const element = document.createElement('font');
    element.append(child);
    return element;
  };
  const replace = (text: Text) => {
    const kept = 'script,style,noscript,textarea,title,option,[translate=no]';
    if (own.has(text) || !text.data.trim() || !text.isConnected || text.parentElement?.closest(kept)) return;
    const translated = new Text(text.data);
    own.add(translated);
    text.replaceWith(font(font(translated)));
  };
  new MutationObserver((records) => {
    for (const { addedNodes, target, type } of records)
      for (const node of type === 'characterData' ? [target] : addedNodes) {
        const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
        const found = node instanceof Text ? [node] : [];
        while (texts.nextNode()) found.push(texts.currentNode as Text);
        found.forEach(replace);
      }
  }).observe(document, { childList: true, subtree: true, characterData: true });
}
