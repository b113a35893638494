/** English words in which `this` is code. */
export const Says = ({ text }: { text: string }) => (
  <span lang="en">
    {text.split('`').map((part, at) =>
      at % 2 === 0 ? (
        part
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
        <code key={at} className="break-words text-text">
          {part}
        </code>
      ),
    )}
  </span>
);
