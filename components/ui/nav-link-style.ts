/** Styles the header's links; 44 px high for fingers. */
export const navLinkStyle =
  'inline-flex min-h-11 items-center whitespace-nowrap rounded-lg px-2 text-base text-text hover:bg-sunken sm:px-3';
