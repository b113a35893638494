/**
 * Scrolls the page's gallery to a picture, and leaves the page where it is.
 * @param hash of the picture; null, or one that the gallery doesn't show: nothing happens
 */
export function showPicture(hash: string | null): void {
  const item = hash === null ? null : document.querySelector(`li[data-hash="${hash}"]`);
  const row = item?.parentElement;
  if (!item || !row) return;
  row.scrollBy({ left: item.getBoundingClientRect().left - row.getBoundingClientRect().left });
}
