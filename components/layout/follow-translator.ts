/** For each text that a translator took out of the page: the element that stands there instead. */
const standIns = new WeakMap<Node, Element>();

const isFont = (node: Node | null): node is Element => node?.nodeName === 'FONT';

function note(records: MutationRecord[]): void {
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    const standIn = [...addedNodes, previousSibling, nextSibling].find(isFont);
    if (!standIn) continue;
    for (const node of removedNodes) if (node instanceof Text) standIns.set(node, standIn);
  }
}

/** Returns the child of `parent` that is, contains or replaces `node`; null if there is none. */
function childFor(parent: Node, node: Node | null): Node | null {
  let at = node;
  while (at && at.parentNode !== parent) at = at.parentNode ?? standIns.get(at) ?? null;
  return at;
}

/**
 * Keeps the page working while the browser translates it. A translator replaces texts by `<font>` elements. React still
 * writes into the old texts, and throws when it removes one or inserts something before it
 * (https://github.com/facebook/react/issues/11538). So a changed text returns to its place for the translator to find,
 * and React's calls reach the replacement.
 */
export function followTranslator(): void {
  new MutationObserver(note).observe(document, { childList: true, subtree: true });
  const { removeChild, insertBefore } = Node.prototype;
  Object.assign(Node.prototype, {
    removeChild(this: Node, child: Node) {
      const there = childFor(this, child);
      if (there) removeChild.call(this, there);
      return child;
    },
    insertBefore(this: Node, node: Node, before: Node | null) {
      return insertBefore.call(this, node, childFor(this, before));
    },
  });
  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  Object.defineProperty(Text.prototype, 'nodeValue', {
    ...nodeValue,
    set(this: Text, text: string) {
      if (!this.parentNode) standIns.get(this)?.replaceWith(this);
      nodeValue?.set?.call(this, text);
    },
  });
}
