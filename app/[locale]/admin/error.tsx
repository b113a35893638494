'use client';

/** Shows the shop's error page; the links to the rest of the admin area stay. */
export { default } from '../error';
