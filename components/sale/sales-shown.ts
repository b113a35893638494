/** How many sales the first page shows, and asks about. */
export const SALES_SHOWN = 60;
