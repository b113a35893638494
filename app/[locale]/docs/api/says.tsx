/** Shows text in which words in backticks, `this` for example, are code. */
export const Marked = ({ text }: { text: string }) =>
  text.includes('`')
    ? // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))
    : text;

/** Marks English text as English, on a page of any language. */
export const Says = ({ text }: { text: string }) => (
  <span lang="en">
    <Marked text={text} />
  </span>
);
