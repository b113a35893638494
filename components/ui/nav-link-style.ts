/** Styles the header's links; 44 px high for fingers. */
export const navLinkStyle =
  'inline-flex min-h-11 items-center shrink-0 whitespace-nowrap rounded-lg px-1.5 text-base text-text hover:bg-sunken sm:px-3';
