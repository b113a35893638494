/** Draws the mark: a clock face whose hand is a bolt. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className} fill="none">
      <circle cx="16" cy="16" r="13" stroke="currentColor" strokeWidth="2.5" />
      <path d="M18.2 6.5 10 17.6h5.2l-1.6 7.9 8.4-11.2h-5.3l1.5-7.8Z" fill="currentColor" />
    </svg>
  );
}
